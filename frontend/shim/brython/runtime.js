// Brython's runtime, which has run before these modules.

export const $B = globalThis.__BRYTHON__
export const _b_ = $B.builtins
