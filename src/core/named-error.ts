/** An error that logs show under the name of its own class. */
export class NamedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}
