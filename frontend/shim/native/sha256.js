// SHA-256 (FIPS 180-4), because crypto.subtle is asynchronous and missing on plain http.

import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"

// Return the first 32 bits of the fractional parts of the square (root 2) or cube (root 3) roots of
// the first `count` primes.
function rootBits(count, root) {
  const found = []
  for (let n = 2; found.length < count; n++) {
    if (found.every(([prime]) => n % prime)) {
      found.push([n, fraction(n, root)])
    }
  }
  return found.map(([, bits]) => bits)
}

// Return the first 32 fractional bits of a root of n. Uses BigInt: floats are not precise enough.
function fraction(n, root) {
  const wide = BigInt(n) << BigInt(32 * root)
  let low = 0n
  let high = 1n << 40n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** BigInt(root) > wide) {
      high = middle
    } else {
      low = middle
    }
  }
  return Number(low & 0xffffffffn)
}

let hashing = null

function sha256(bytes) {
  hashing ||= { begin: rootBits(8, 2), rounds: rootBits(64, 3) }
  const length = bytes.length
  const padded = new Uint8Array(((length + 72) >> 6) << 6)
  padded.set(bytes)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000))
  view.setUint32(padded.length - 4, length << 3)
  const hash = Int32Array.from(hashing.begin)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) {
      words[i] = view.getInt32(at + 4 * i)
    }
    mixBlock(hash, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  hash.forEach((word, i) => digest.setInt32(4 * i, word))
  return $B.fast_tuple(Array.from(new Uint8Array(digest.buffer)))
}

function mixBlock(hash, words) {
  const turned = (word, by) => (word >>> by) | (word << (32 - by))
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15], late = words[i - 2]
    words[i] = words[i - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3))
      + words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10))
  }
  let [a, b, c, d, e, f, g, h] = hash
  for (let i = 0; i < 64; i++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
      + hashing.rounds[i] + words[i]) | 0
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i] + word) | 0 })
}

exportToPython({ sha256 })
