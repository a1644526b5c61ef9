// Durations are written 8 * MINUTE, in milliseconds.

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

/** `30m`, `12h` or `2d`, as an operator types it. Undefined for any other text. */
export function typedDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0)
}

export function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

export function later(one: Date, other: Date): Date {
  return one >= other ? one : other
}

export function earlier(one: Date, other: Date): Date {
  return one <= other ? one : other
}
