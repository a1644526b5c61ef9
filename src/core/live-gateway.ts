/** The gateways of live accounts. Of several that are set up, the first is the default. */
export const LIVE_GATEWAYS = ['stripe', 'checkout'] as const

export type LiveGateway = (typeof LIVE_GATEWAYS)[number]

/** The facts of an account that say which gateway its new payment methods have. */
export interface GatewayChoice {
  readonly mode: 'sandbox' | 'live'
  /** The team's choice for its live account. Null is the default. */
  readonly liveGateway: string | null
}
