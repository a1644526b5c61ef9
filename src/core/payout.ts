// What a payout of a gateway holds besides payments and refunds.

/** The fee of a dispute counts as a dispute. */
export const EXTRA_KINDS = ['disputes', 'fees', 'failed_refunds', 'adjustments'] as const

export type ExtraKind = (typeof EXTRA_KINDS)[number]

/** In cents, after fees. Less than 0 if it is taken from the payout. */
export type PayoutExtras = Readonly<Partial<Record<ExtraKind, number>>>
