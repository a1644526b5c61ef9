/**
 * True of a transaction whose payment is under way, or waits for a person. It is the condition of
 * the index transaction_pending, word for word.
 *
 * A statement about one PENDING or due row implies `status = 'PENDING'` and `due_at IS NOT NULL`,
 * and the planner would think the index as good for it as the primary key. No statement implies
 * this form unless it contains it.
 */
export function isUnderWay(alias: string): string {
  return `(${alias}.due_at IS NULL AND ${alias}.parked_at IS NULL) IS FALSE`
}
