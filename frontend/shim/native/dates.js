// Dates and times: formatting, and the clock of the service.

// Milliseconds since 1970.
function nowMs() {
  return Date.now()
}

// The language of the page as people here write it: "en-GB" where the browser says so. What it says
// need not be a language that dates can be written in: "en-US@posix".
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

// The hour and minute here, so many minutes after a moment in ISO 8601.
function localTimeAfter(moment, minutes) {
  const time = new Date(Date.parse(moment) + 60000 * minutes)
  return time.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })
}

// A moment in ISO 8601 as people here say it: the time, and the day unless it is today.
function formatMoment(moment) {
  const time = new Date(moment)
  const day = { day: "numeric", month: "short" }
  const clock = { hour: "2-digit", minute: "2-digit" }
  const today = time.toDateString() === new Date().toDateString()
  return time.toLocaleString(locale(), today ? clock : { ...day, ...clock })
}

const formatNow = () => formatMoment(Date.now())

// A day such as 2026-11-21 as people here say it; what follows the day is left out.
function formatDay(date) {
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }
  return new Date(date.slice(0, 10)).toLocaleDateString(locale(), parts)
}

// A device's own clock may be wrong: what is left of a turn is told by the service's, which each
// answer says to the second. Less than that and the way here is no difference.
const CLOCK_TOLERANCE_MS = 3000
let serverClockSkewMs = 0

function recordServerTime(milliseconds) {
  if (Number.isFinite(milliseconds)) {
    serverClockSkewMs = Math.abs(milliseconds) < CLOCK_TOLERANCE_MS ? 0 : milliseconds
  }
}

// Whole minutes from now to a moment in ISO 8601, begun ones count; 0 when it is over.
function minutesUntil(moment) {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.now() - serverClockSkewMs) / 60000))
}

// Whole seconds from now to a moment in ISO 8601; 0 when it is over.
function secondsUntil(moment) {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.now() - serverClockSkewMs) / 1000))
}

// Minutes by which the clocks here are ahead of UTC now.
function utcOffsetMinutes() {
  return -new Date().getTimezoneOffset()
}

// Milliseconds since 1970 in RFC 3339.
function formatTimestamp(milliseconds) {
  return new Date(milliseconds).toISOString()
}

// The IANA name of the device's time zone, "" where it does not say.
function timeZoneName() {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || ""
  } catch {
    return ""
  }
}

Object.assign(native, {
  now_ms: nowMs, local_time_after: localTimeAfter, format_moment: formatMoment,
  format_now: formatNow, format_day: formatDay, minutes_until: minutesUntil,
  seconds_until: secondsUntil, utc_offset_minutes: utcOffsetMinutes,
  format_timestamp: formatTimestamp, time_zone_name: timeZoneName,
})
