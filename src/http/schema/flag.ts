/** A flag as it is sent: true, 1 or "1", and in an address the word. */
export function isFlagSet(
  value: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | undefined,
): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}
