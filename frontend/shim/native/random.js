// Cryptographically secure random keys and numbers.

import { exportToPython } from "../brython/python_module.js"

// Return random bytes as hex digits; crypto.randomUUID is missing on plain http.
function randomHex(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

// Return a uniformly distributed integer from 0 to n-1, by rejection sampling.
function randomBelow(n) {
  const most = Math.floor(0x100000000 / n) * n
  let word = most
  while (word >= most) {
    [word] = crypto.getRandomValues(new Uint32Array(1))
  }
  return word % n
}

exportToPython({
  random_key: () => randomHex(16), random_seed: () => randomHex(32), random_below: randomBelow,
})
