// An entry of the error catalogue.

export interface Entry {
  readonly status: number
  readonly message: string
  /** For the documentation. */
  readonly remedy: string
}
