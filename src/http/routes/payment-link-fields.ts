// The fields of a payment link, from a body that its schema has held to be right.

import type { NewLink } from '../../links/create-link.ts'
import type { Static } from '../../resource/json-schema.ts'
import { isFlagSet, openCentsOf } from '../../resource/read-values.ts'
import type { changedPaymentLink, NewPaymentLink } from '../schema/payment-link.ts'

export function readNewLink(body: NewPaymentLink): NewLink {
  return {
    amount: null,
    active: true,
    linkMeta: {},
    meta: {},
    ...readLinkChange(body),
    commonName: body.common_name,
  }
}

/** Without what was not sent. */
export function readLinkChange(body: Static<typeof changedPaymentLink>): Partial<NewLink> {
  return {
    ...(body.common_name === undefined ? {} : { commonName: body.common_name }),
    ...(body.amount === undefined ? {} : { amount: openCentsOf(body.amount) }),
    ...(body.active === undefined ? {} : { active: isFlagSet(body.active) }),
    ...(body.link_meta === undefined ? {} : { linkMeta: body.link_meta }),
    ...(body.meta === undefined ? {} : { meta: body.meta }),
  }
}
