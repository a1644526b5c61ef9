/** What an operator asked for cannot be done, for a reason that one line can tell. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}
