// Errors of files of the app that cannot be loaded.

import { handler } from "../brython/interop.js"

// The error when a file of the app cannot be loaded; `status` is set if it is known.
export class BundleError extends Error {
  constructor(address, status) {
    super(address)
    Object.assign(this, { address, status })
  }
}

// Return an error handler that calls failed(gone). gone: whether the service no longer has the
// file, because a newer version was deployed, so that retrying is pointless. Browsers do not expose
// the status of failed scripts and style sheets, so the handler requests the file again to get it.
export function reportFailure(failed) {
  const lost = handler(failed)
  return (problem) => isGone(problem).then(lost)
}

async function isGone({ address, status }) {
  if (address && !status) {
    status = await fetch(address, { cache: "no-cache" }).then((answer) => answer.status, () => 0)
  }
  return status === 404 || status === 410
}
