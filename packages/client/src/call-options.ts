/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  /** The number of all rows that match the filters. */
  total: number
  per_page: number
  current_page: number
  last_page: number
  /** The number of the first row on this page, from 1. */
  from: number | null
  /** The number of the last row on this page. */
  to: number | null
  next_page_url: string | null
  prev_page_url: string | null
}

export interface CallOptions {
  /** Ends the call, including its waits between attempts. */
  signal?: AbortSignal
  /** For each attempt; the client's own by default. */
  timeoutMs?: number
}

export interface KeyedCallOptions extends CallOptions {
  /** A repeat with the same key gets the same answer. The client makes a key where none is given. */
  idempotencyKey?: string
}

export interface PaymentCallOptions extends KeyedCallOptions {
  /** Returns the PENDING transaction at once instead of waiting for the gateway. */
  respondAsync?: boolean
}
