// Dates and times: formatting, and the offset of the service's clock.

import { exportToPython } from "../brython/python_module.js"

// Return the page's language with the browser's region, such as "en-GB". Skip tags that the browser
// lists but Intl rejects, such as "en-US@posix".
function locale() {
  const tag = document.documentElement.lang
  const here = navigator.languages.filter((each) => (each + "-").startsWith(tag + "-"))
  return [...here, tag].find(canWrite) || "en"
}

function canWrite(tag) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch (_) {
    return false
  }
}

// Format the local time of day a number of minutes after an instant in ISO 8601.
function localTimeAfter(moment, minutes) {
  const time = new Date(Date.parse(moment) + 60000 * minutes)
  return time.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })
}

// Format an instant (ISO 8601, or milliseconds since 1970) for the locale: the time of day, with
// day and month unless it is today.
function formatMoment(moment) {
  const time = new Date(moment)
  const day = { day: "numeric", month: "short" }
  const clock = { hour: "2-digit", minute: "2-digit" }
  const today = time.toDateString() === new Date().toDateString()
  return time.toLocaleString(locale(), today ? clock : { ...day, ...clock })
}

// Format a date such as 2026-11-21 for the locale; a time of day after it is ignored.
function formatDay(date) {
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }
  return new Date(date.slice(0, 10)).toLocaleDateString(locale(), parts)
}

// The device's clock may be wrong, so remaining time is computed with the service's clock, which
// the Date header of each response gives to the second. A skew below the tolerance is ignored,
// because rounding and latency cause it too.
const CLOCK_TOLERANCE_MS = 3000
let serverClockSkewMs = 0

export function recordServerTime(milliseconds) {
  if (Number.isFinite(milliseconds)) {
    serverClockSkewMs = Math.abs(milliseconds) < CLOCK_TOLERANCE_MS ? 0 : milliseconds
  }
}

// Return the time until an instant in ISO 8601 in units of some milliseconds, rounded up; 0 if it
// has passed.
function timeUntil(moment, unitMs) {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.now() - serverClockSkewMs) / unitMs))
}

// Return the IANA name of the device's time zone; "" if unknown.
function timeZoneName() {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || ""
  } catch {
    return ""
  }
}

exportToPython({
  now_ms: () => Date.now(), // the device's time in milliseconds since 1970 (UTC)
  local_time_after: localTimeAfter, format_moment: formatMoment, format_day: formatDay,
  format_now: () => formatMoment(Date.now()), time_zone_name: timeZoneName,
  minutes_until: (moment) => timeUntil(moment, 60000),
  seconds_until: (moment) => timeUntil(moment, 1000),
  utc_offset_minutes: () => -new Date().getTimezoneOffset(), // positive east of Greenwich
  format_timestamp: (milliseconds) => new Date(milliseconds).toISOString(), // RFC 3339 in UTC
})
