// The accounts of one stand-in: the platform's own, and those connected to it.

import type Stripe from 'stripe'
import { balanceOf, type StripeAccount } from './account.ts'
import type { StripeClock } from './clock.ts'
import { writeEvent } from './events.ts'
import { noAccessTo } from './refusals.ts'
import type { StripeSettings } from './settings.ts'

export interface StripeAccounts {
  readonly platform: StripeAccount
  /** A connected account is opened at its first request, unless access was revoked. */
  connected(id: string): StripeAccount
  revoke(id: string): void
  /** The account with this object; ids are unique over all accounts. */
  having(id: string): StripeAccount
}

export interface AccountsInput {
  readonly clock: StripeClock
  readonly settings: StripeSettings
  readonly platformId?: string | undefined
  /** Connected accounts; any id that begins with `acct_` when absent. */
  readonly ids?: readonly string[] | undefined
  readonly take: (event: Stripe.Event) => void
}

export function openAccounts(input: AccountsInput): StripeAccounts {
  const { clock, settings, platformId = 'acct_platform', ids, take } = input
  const platform = newAccount(platformId, false)
  const others = new Map<string, StripeAccount>()
  const revoked = new Set<string>()

  function newAccount(id: string, isConnected: boolean): StripeAccount {
    const account: StripeAccount = {
      id,
      isConnected,
      clock,
      settings,
      balanceTransactions: new Map(),
      charges: new Map(),
      confirmationTokens: new Map(),
      customers: new Map(),
      disputes: new Map(),
      events: new Map(),
      paymentIntents: new Map(),
      paymentMethods: new Map(),
      payouts: new Map(),
      refunds: new Map(),
      traits: new Map(),
      mandates: new Set(),
      payoutOf: new Map(),
      keyOf: new Map(),
      keptResults: new Map(),
      arrivals: new Map(),
      otherMoney: settings.openingBalance,
      request: null,
      emit: (type, object) => take(writeEvent(account, type, object)),
    }
    return account
  }

  return {
    platform,
    connected(id) {
      if (id === platform.id) return platform
      const isKnown = ids === undefined ? id.startsWith('acct_') : ids.includes(id)
      if (!isKnown || revoked.has(id)) throw noAccessTo(id)
      const account = others.get(id) ?? newAccount(id, true)
      others.set(id, account)
      return account
    },
    revoke: (id) => revoked.add(id),
    having(id) {
      const account = [platform, ...others.values()].find((one) => has(one, id))
      if (account === undefined) throw new Error(`no account has ${id}`)
      return account
    },
  }
}

/** Sets the balance from which the account can pay refunds. */
export function setBalance(account: StripeAccount, cents: number): void {
  account.otherMoney += cents - balanceOf(account)
}

function has(account: StripeAccount, id: string): boolean {
  const tables: readonly ReadonlyMap<string, unknown>[] = [
    account.disputes,
    account.payouts,
    account.paymentIntents,
    account.paymentMethods,
    account.refunds,
  ]
  return tables.some((table) => table.has(id))
}
