// Figures in words, as the doctor and the console show them.

import { DAY, HOUR, MINUTE, SECOND } from '../core/time-units.ts'

const UNITS = [
  [DAY, 'days'],
  [HOUR, 'hours'],
  [MINUTE, 'minutes'],
  [SECOND, 'seconds'],
] as const

/** The time in the largest unit with a value of at least two: 90 minutes, 3 days. */
export function lapse(ms: number): string {
  const [unitMs, unit] = UNITS.find(([one]) => ms >= 2 * one) ?? [1, 'ms']
  return `${Math.floor(ms / unitMs)} ${unit}`
}

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export function size(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${SIZES[power]}`
}

/** How far the host's clock is off, in the sign convention of `SharedClock`. */
export function skewText(skewMs: number): string {
  const ms = Math.round(Math.abs(skewMs) / SECOND) * SECOND
  return `${lapse(ms)} ${skewMs < 0 ? 'behind' : 'ahead of'} the database's`
}
