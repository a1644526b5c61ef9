/** A flag as it is sent: true, 1 or "1". */
export function isFlagSet(value: boolean | 0 | 1 | '0' | '1' | undefined): boolean {
  return value === true || value === 1 || value === '1'
}
