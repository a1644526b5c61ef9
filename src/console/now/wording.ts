// Formats changing figures, no more precisely than people can read.

import { grouped } from '../../core/counts.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time-units.ts'

/** Events in a span of time. */
export function rateText(rate: number): string {
  if (rate === 0) return '0'
  if (rate < 0.05) return '< 0.1'
  return rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))
}

export function shareText(share: number | null): string {
  if (share === null) return '–'
  return `${(share * 100).toFixed(1)} %`
}

/** For short durations. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return '–'
  return spanText(seconds * SECOND)
}

const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

export function spanText(ms: number): string {
  for (const [unitMs, name] of UNITS) {
    if (ms >= 2 * unitMs) return `${Math.floor(ms / unitMs)} ${name}`
  }
  if (ms >= 10 * SECOND) return `${Math.round(ms / SECOND)} s`
  return ms >= SECOND ? `${(ms / SECOND).toFixed(1)} s` : `${Math.round(ms)} ms`
}
