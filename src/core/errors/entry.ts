// An entry of the error catalogue.

export interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** For the documentation. */
  readonly remedy: string
}
