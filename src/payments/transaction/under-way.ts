/**
 * True of a transaction whose payment is under way, or waits for a person. It is the condition of
 * the index transaction_pending, word for word.
 */
export function isUnderWay(alias: string): string {
  return `(${alias}.due_at IS NULL AND ${alias}.parked_at IS NULL) IS FALSE`
}
