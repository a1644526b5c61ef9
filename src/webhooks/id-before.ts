// Ids of ours begin with their time, so events can be read from an instant on by their key.

const TIME_DIGITS = 12

/** Less than any id that was made at that instant or later, and more than all before. */
export function idBefore(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(TIME_DIGITS, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
