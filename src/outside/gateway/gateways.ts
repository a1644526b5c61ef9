// The only place that decides which gateway an account uses.

import { Refusal } from '../../core/errors.ts'
import { type GatewayChoice, LIVE_GATEWAYS } from '../../core/live-gateway.ts'
import type { Gateway } from './port.ts'

const noGateway = () => new Refusal('no_live_gateway')

export class Gateways {
  readonly all: readonly Gateway[]
  /** Comma-separated, for statements. */
  readonly names: string

  constructor(all: readonly Gateway[]) {
    this.all = all
    this.names = all.map(({ name }) => name).join()
  }

  /** Those that report what happens after a payment's end. */
  get reporting(): readonly Gateway[] {
    return this.all.filter(({ feed }) => feed !== undefined)
  }

  /** The names of those that report their payouts. */
  get reportingPayouts(): readonly string[] {
    return this.all.filter(({ feed }) => feed?.partsOfPayout).map(({ name }) => name)
  }

  /** The names of those that report from several accounts. */
  get reportingPlaces(): readonly string[] {
    return this.all.filter(({ feed }) => feed?.hasPlaces).map(({ name }) => name)
  }

  /** For new payment methods. Undefined if the account's gateway is not set up. */
  of({ liveGateway, mode }: GatewayChoice): Gateway | undefined {
    if (mode === 'sandbox' || liveGateway === null) return this.ofMode(mode)[0]
    return this.#find(liveGateway)
  }

  /** All that an account of that mode may have payments with, the default one first. */
  ofMode(mode: GatewayChoice['mode']): readonly Gateway[] {
    const names = mode === 'sandbox' ? ['sandbox'] : LIVE_GATEWAYS
    return names.flatMap((name) => this.#find(name) ?? [])
  }

  /** A payment method stays with its gateway. False if that is not set up any more. */
  serves({ gatewayName }: { readonly gatewayName: string | null }): boolean {
    return this.#find(gatewayName) !== undefined
  }

  /** True if a payment of the account with that payment method would be charged. */
  wouldCharge(account: GatewayChoice, method: { readonly gatewayName: string | null }): boolean {
    return this.of(account) !== undefined && this.serves(method)
  }

  #find(name: string | null): Gateway | undefined {
    return this.all.find((one) => one.name === name)
  }

  require(account: GatewayChoice): Gateway {
    const gateway = this.of(account)
    if (gateway === undefined) throw noGateway()
    return gateway
  }

  /** Why the account's payments are refused. Undefined if it has a gateway. */
  refusalOf(account: GatewayChoice): Refusal | undefined {
    return this.of(account) === undefined ? noGateway() : undefined
  }

  /** A payment stays with the gateway where it began: its row has the name. */
  named(name: string | null): Gateway {
    const gateway = this.#find(name)
    if (gateway === undefined) throw new Error(`no gateway is named ${name}`)
    return gateway
  }
}
