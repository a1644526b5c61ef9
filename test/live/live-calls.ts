// The requests of the merchant of a live account.

import { call, type Merchant, type TestService } from '../support/test-service.ts'

export interface LiveCalls {
  post(path: string, body?: object): ReturnType<typeof call>
  put(path: string, body: object): ReturnType<typeof call>
  get(path: string): ReturnType<typeof call>
  /** Returns the id of a new payment method of the merchant. */
  addMethod(body: object): Promise<string>
  /** Waits until the transaction is final. */
  outcome(id: unknown): Promise<Record<string, unknown>>
}

export function liveCalls(service: TestService, merchant: Merchant): LiveCalls {
  const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    call(service.app, method, path, merchant.headers, body)
  return {
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    get: (path) => ask('GET', path),
    async addMethod(body) {
      const made = await ask('POST', '/payment-method', { person_name: 'Ada Lovelace', ...body })
      if (made.status !== 200) throw new Error(`no payment method: ${made.text}`)
      return made.body.id
    },
    async outcome(id) {
      for (let looks = 0; looks < 400; looks += 1) {
        const { body } = await ask('GET', `/transaction/${id}`)
        if (body.status !== 'PENDING') return body
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`${id} is still PENDING`)
    },
  }
}
