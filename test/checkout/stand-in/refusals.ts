/** An answer that is not a success. Checkout.com sends some without a body. */
export class CheckoutRefusal extends Error {
  readonly status: number
  readonly body: object | undefined

  constructor(status: number, body?: object) {
    super(`${status}`)
    this.status = status
    this.body = body
  }
}

export function invalidRequest(code: string): CheckoutRefusal {
  return new CheckoutRefusal(422, { error_type: 'request_invalid', error_codes: [code] })
}
