// Asks Stripe once, before all other requests, whose keys these are.

import { NotSent } from '../port.ts'
import { LIMIT_MS } from './ask.ts'
import type { AskStripe } from './client.ts'
import type { KnownAccount } from './known-account.ts'
import { readRefusal } from './refusals.ts'

interface OwnAccountNeeds {
  readonly askStripe: AskStripe
  /** A test key and a live key of one account see different payments. */
  readonly isTest: boolean
  readonly known: KnownAccount
  readonly alarm: (words: string, fields: { readonly err: Error }) => void
}

/**
 * Returns a check before each request, which throws if the keys are those of another account than
 * our payments wait for. Only a request that changes something makes an account ours: a command
 * that reads may have other keys by mistake.
 */
export function ownAccount({ alarm, askStripe, isTest, known }: OwnAccountNeeds) {
  let reading: Promise<string | undefined> | undefined
  let isOurs = false

  async function read(): Promise<string | undefined> {
    try {
      const { id } = await askStripe(
        { account: undefined },
        AbortSignal.timeout(LIMIT_MS),
        (stripe, options) => stripe.accounts.retrieveCurrent({}, options),
      )
      return `${id}, ${isTest ? 'test' : 'live'} mode`
    } catch (error) {
      const refusal = readRefusal(error)
      // A restricted key may be refused this one question.
      if (refusal?.status === 403) return undefined
      reading = undefined
      // A refused key is named by its alarm. Any other refusal is not that of an order.
      throw refusal?.status === 401 ? error : new NotSent('Stripe did not say whose keys these are')
    }
  }

  return async (isChange: boolean): Promise<void> => {
    if (isOurs) return
    reading ??= read()
    const account = await reading
    if (account === undefined) return
    const state = await known.stateOf(account)
    if (state.kind === 'other') {
      const { former } = state
      const words = `The keys of Stripe are those of ${account}, but payments wait for ${former}`
      const err = new NotSent(words)
      alarm(`${words}: put its keys back until they are final`, { err })
      throw err
    }
    if (isChange && state.kind === 'free') await known.keep(account)
    isOurs = isChange || state.kind === 'ours'
  }
}
