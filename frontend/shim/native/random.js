// Cryptographically secure random keys and numbers.

import { exportToPython } from "../brython/python_module.js"

// Return 16 random bytes as hex digits; crypto.randomUUID is missing on plain http.
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

// Return 32 random bytes as hex digits.
function randomSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
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

exportToPython({ random_key: randomKey, random_seed: randomSeed, random_below: randomBelow })
