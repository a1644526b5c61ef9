// Durations are written 8 * MINUTE, in milliseconds.

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

export function later(one: Date, other: Date): Date {
  return one >= other ? one : other
}

export function earlier(one: Date, other: Date): Date {
  return one <= other ? one : other
}
