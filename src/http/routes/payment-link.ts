import { Refusal } from '../../core/errors.ts'
import { changeLink } from '../../links/change-link.ts'
import { createLink } from '../../links/create-link.ts'
import { deleteLink } from '../../links/delete-link.ts'
import { findLink } from '../../links/find-link.ts'
import { linkView } from '../../links/link-view.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, CHANGE_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import {
  changedPaymentLink,
  linkParams,
  newPaymentLink,
  paymentLink,
  paymentLinkDeleted,
} from '../schema/payment-link.ts'
import { ref } from '../schema/ref.ts'
import { answerOnce } from './answer-once.ts'
import { readLinkChange, readNewLink } from './payment-link-fields.ts'
import type { RouteApp } from './route-app.ts'

const PATH = '/query/payment-links/:id'
const TAGS = ['Payment links']

/** Ids are shown in lower case, and found in any. */
const idOf = ({ params }: { readonly params: { readonly id: string } }) => params.id.toLowerCase()

export function paymentLinkRoutes(app: RouteApp, world: World): void {
  creation(app, world)
  reading(app, world)
  change(app, world)
  deletion(app, world)
}

function creation(app: RouteApp, world: World): void {
  app.post(
    '/payment-link',
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Create a payment link',
        tags: TAGS,
        security,
        headers: idempotencyHeaders,
        body: newPaymentLink,
        response: answers({ 200: ref(paymentLink) }, [...BODY_ERRORS, 'idempotency_conflict']),
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await createLink(world, context, readNewLink(request.body)))
    },
  )
}

function reading(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Get a payment link',
        tags: TAGS,
        security,
        params: linkParams,
        response: answers({ 200: ref(paymentLink) }, [...KEYED_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) => {
      const found = await findLink(world, callerOf(request).accountId, idOf(request))
      if (found === undefined) throw new Refusal('not_found')
      return linkView(world, found)
    },
  )
}

function change(app: RouteApp, world: World): void {
  app.put(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Change a payment link',
        tags: TAGS,
        security,
        params: linkParams,
        body: changedPaymentLink,
        response: answers({ 200: ref(paymentLink) }, [...BODY_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) => {
      const sent = readLinkChange(request.body)
      return linkView(
        world,
        await changeLink(world, requestContextOf(request), idOf(request), sent),
      )
    },
  )
}

function deletion(app: RouteApp, world: World): void {
  app.delete(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Delete a payment link',
        description:
          'Deletion is final: the link can no longer be used. Its transactions stay in the history and cannot be processed further.',
        tags: TAGS,
        security,
        params: linkParams,
        response: answers({ 200: paymentLinkDeleted }, [
          ...CHANGE_ERRORS,
          'invalid_id',
          'not_found',
        ]),
      },
    },
    async (request) => {
      await deleteLink(world, requestContextOf(request), idOf(request))
      return { status: 200 as const, message: 'the payment link is deleted' }
    },
  )

  app.delete(
    '/query/payment-links',
    { onRequest: authenticate(world), schema: { security, hide: true } },
    () => {
      const fault = 'is required, as in /query/payment-links/{id}'
      throw new Refusal('invalid_request', { faults: { id: [fault] } })
    },
  )
}
