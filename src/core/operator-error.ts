/** An operator's request that cannot be carried out, with a reason in one line. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}
