// What names a payment: the account first, as in every key of the database.

export interface RowKey {
  readonly accountId: string
  readonly id: string
}
