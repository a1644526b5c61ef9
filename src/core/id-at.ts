// Our ids hold the real time at which they were made: a range of them is a span of time.

/** Below it is whatever was made before that instant. */
export function firstIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
