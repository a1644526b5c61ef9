// Creates, shows, changes and deletes payment links, and draws their QR codes.

import { Refusal, wrongField } from '../../core/errors.ts'
import { changeLink, deleteLink } from '../../links/change-link.ts'
import { createLink } from '../../links/create-link.ts'
import { findLink, findLinkOfPayer } from '../../links/find-link.ts'
import { linkView, PAYMENT_LINK, pageAddress } from '../../links/link.ts'
import { qrCode } from '../../links/qr-code.ts'
import { Type } from '../../resource/json-schema.ts'
import { currency, idempotencyId, linkId } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { pathId, pathKey, requestContextOf } from '../requests.ts'
import { answers, ref, resourceSchema } from '../schema/answers.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const COFFEE = {
  common_name: 'Coffee',
  amount: 12.5,
  link_meta: { memo: 'A bag of beans', isTotalEditable: false },
}

export const newPaymentLink = Type.Object(
  {
    ...PAYMENT_LINK.creation,
    currency: Type.Optional(currency),
    idempotency_id: idempotencyId,
  },
  { examples: [COFFEE] },
)

const changedPaymentLink = Type.Object(
  { ...PAYMENT_LINK.change, currency: Type.Optional(currency) },
  {
    description: 'Absent fields keep their value; `meta` and `link_meta` are replaced as a whole.',
    examples: [{ active: false }],
  },
)

const linkParams = Type.Object({ id: linkId('The payment link.') })

export const paymentLink = resourceSchema('PaymentLink', PAYMENT_LINK.answer)

export const doneFields = {
  status: Type.Unsafe<200>({ type: 'integer', enum: [200] }),
  message: Type.String(),
}

const paymentLinkDeleted = Type.Object(doneFields)

const PATH = '/query/payment-links/:id'
const TAGS = ['Payment links']

export function paymentLinkRoutes(app: RouteApp, world: World): void {
  app.post(
    '/payment-link',
    {
      schema: {
        summary: 'Create a payment link',
        operationId: 'createPaymentLink',
        description: 'Returns the address of a page on which anyone can pay, and of its QR code.',
        tags: TAGS,
        body: newPaymentLink,
        response: { 200: ref(paymentLink) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(
        reply,
        await createLink(world, context, PAYMENT_LINK.readCreation(request.body)),
      )
    },
  )

  oneLinkRoutes(app, world)
}

const oneLink = { tags: TAGS, params: linkParams }

function oneLinkRoutes(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      schema: {
        ...oneLink,
        summary: 'Get a payment link',
        operationId: 'getPaymentLink',
        description: 'Its totals count the successful payments that came through it.',
        response: { 200: ref(paymentLink) },
      },
    },
    async (request) => linkView(world, await findLink(world, pathKey(request))),
  )

  app.put(
    PATH,
    {
      schema: {
        ...oneLink,
        summary: 'Change a payment link',
        operationId: 'updatePaymentLink',
        description:
          'The page shows the change at once. An inactive link takes no payment until it is active again.',
        body: changedPaymentLink,
        response: { 200: ref(paymentLink) },
      },
    },
    async (request) => {
      const change = PAYMENT_LINK.readChange(request.body)
      const context = requestContextOf(request)
      return linkView(world, await changeLink(world, context, pathId(request), change))
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        ...oneLink,
        summary: 'Delete a payment link',
        operationId: 'deletePaymentLink',
        description:
          'Deletion is final: the link can no longer be used. Its transactions stay in the history and cannot be processed further.',
        response: { 200: paymentLinkDeleted },
      },
    },
    async (request) => {
      await deleteLink(world, requestContextOf(request), pathId(request))
      return { status: 200 as const, message: 'the payment link is deleted' }
    },
  )

  app.delete('/query/payment-links', () => {
    throw wrongField('id', 'is required, as in /query/payment-links/{id}')
  })
}

/** It never changes, but after a deletion it must disappear from caches too. */
const CACHED_S = 60

const svg = Type.Unsafe<string>({
  description: 'The picture.',
  content: { 'image/svg+xml': { schema: { type: 'string' } } },
})

/** A link's picture. It is for payers, so it asks for no key. */
export function paymentLinkQrRoutes(app: RouteApp, world: World): void {
  app.get(
    '/pay/:id/qr.svg',
    {
      schema: {
        summary: "A QR code of a payment link's page",
        operationId: 'getPaymentLinkQrCode',
        description: 'A picture for print and screen, which leads a payer to the page of the link.',
        ...oneLink,
        response: answers({ 200: svg }, ['invalid_id', 'not_found']),
      },
    },
    async (request, reply) => {
      const id = pathId(request)
      const link = await world.db.ask(findLinkOfPayer, { id })
      if (link === undefined || link.isDeleted) throw new Refusal('not_found')
      return reply
        .type('image/svg+xml')
        .header('cache-control', `public, max-age=${CACHED_S}`)
        .header('x-content-type-options', 'nosniff')
        .serializer(String)
        .send(qrCode(pageAddress(world, id)))
    },
  )
}
