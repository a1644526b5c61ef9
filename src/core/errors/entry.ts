// What the catalogue says of an error.

export interface Entry {
  readonly status: number
  readonly message: string
  /** For the documentation. */
  readonly remedy: string
}
