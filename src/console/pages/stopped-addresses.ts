// The action on a stopped address. Its forms are on the pages of customers and deliveries.

import type { FastifyInstance } from 'fastify'
import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import { isId } from '../../core/id.ts'
import { STOP_REASONS } from '../../deliveries/stopped-addresses.ts'
import { liftStop } from '../../operators/lift-stop.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { incompleteForm, PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { accountOfPath } from '../account-of.ts'
import { redirectDone } from '../done.ts'
import { noteOf } from '../parts/typed.ts'
import { customerPath, deliveryPath } from '../paths.ts'
import { operatorOf } from '../who.ts'

interface OfAddress {
  readonly Params: { readonly account: string }
}

export function stoppedAddressPages(own: FastifyInstance, world: World): void {
  own.post<OfAddress>('/addresses/:account/lift', async (request, reply) => {
    const { id: accountId } = await accountOfPath(world, request.params.account, 'address')
    const form = formOf(request)
    const { address = '' } = form
    const channel = MESSAGE_CHANNELS.find((one) => one === form.channel)
    const reason = STOP_REASONS.find((one) => one === form.reason)
    if (channel === undefined || reason === undefined) throw incompleteForm()
    const path = pageOf(accountId, form)
    const note = noteOf(form.note, LONGEST_NOTE)
    if (reason === 'opted_out' && note === '') throw NO_NOTE
    await liftStop(world, operatorOf(request), { accountId, channel, address, reason }, note)
    return redirectDone(world, reply, path, DONE[reason])
  })
}

const DONE = {
  no_such_address:
    'Messages go to this address again. Those that failed can be sent again from their pages.',
  opted_out: 'Scheduled bills go to this address again.',
} as const

const NO_NOTE = new PageRefusal(
  400,
  'Something is missing',
  'Enter how the recipient asked for scheduled bills.',
)

function pageOf(accountId: string, { customer = '', delivery = '' }: Form): string {
  if (isId(customer)) return customerPath({ accountId, id: customer })
  if (isId(delivery)) return deliveryPath({ accountId, id: delivery })
  throw incompleteForm()
}
