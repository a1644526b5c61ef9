// Changes a payment link. What is sent as it is changes nothing, and nobody is told of it.

import { isDeepStrictEqual } from 'node:util'
import type { RequestContext } from '../accounts/request-context.ts'
import type { PaymentLink, Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { NewLink } from './create-link.ts'
import { type LinkChange, writeLink } from './write-link.ts'

export function changeLink(
  world: World,
  context: RequestContext,
  id: string,
  sent: Partial<NewLink>,
): Promise<PaymentLink> {
  const wanted = asStored(sent)
  return writeLink(world, context, id, 'update', (link) => {
    const entries = Object.entries(wanted) as [keyof LinkChange, unknown][]
    return Object.fromEntries(
      entries.filter(([name, value]) => !isDeepStrictEqual(link[name], value)),
    )
  })
}

/** Of JSON what the database will give back: it knows no -0. */
function asStored({ linkMeta, meta, ...rest }: Partial<NewLink>): LinkChange {
  return {
    ...rest,
    ...(linkMeta === undefined ? {} : { linkMeta: stored(linkMeta) }),
    ...(meta === undefined ? {} : { meta: stored(meta) }),
  }
}

function stored(json: object): Prisma.JsonObject {
  return JSON.parse(JSON.stringify(json))
}
