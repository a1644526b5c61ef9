// Lists payment links by a query string or by a body. Existing clients also create links at this
// path; a body with link_meta is a creation.

import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { createLink } from '../../links/create-link.ts'
import { LINKS, PAYMENT_LINK } from '../../links/link.ts'
import type { Static } from '../../resource/json-schema.ts'
import { ifSent, isFlagSet, onlySent, openCentsOf } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { answerListPage, askedPage } from '../list-pages.ts'
import { requestContextOf } from '../requests.ts'
import { IGNORED, listSchema } from '../schema/list.ts'
import {
  type LinkQueryBody,
  linkQuery,
  linkQueryOrCreation,
  type NewPaymentLink,
  paymentLink,
  paymentLinkMade,
} from '../schema/payment-link.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const PATH = '/query/payment-links'

type Sent = Static<typeof linkQuery>

/** The parameters come from the query string or from the body. */
type Query = { readonly [K in keyof Sent]?: Sent[K] | LinkQueryBody[K] | undefined }

/** In the addresses of other pages. */
const FIELDS = Object.keys(linkQuery.properties).filter(
  (name) => !Object.hasOwn(IGNORED, name),
) as (keyof typeof linkQuery.properties)[]

export function paymentLinkListRoutes(app: RouteApp, world: World): void {
  const tags = ['Payment links']
  const list = listSchema(paymentLink)

  app.get(
    PATH,
    {
      schema: {
        summary: 'List payment links',
        operationId: 'listPaymentLinks',
        description: 'Active and inactive links. Deleted ones are left out.',
        tags,
        querystring: linkQuery,
        response: { 200: list },
      },
    },
    (request) => page(world, request, request.query),
  )

  app.post(
    PATH,
    {
      schema: {
        summary: 'Query payment links, or create one',
        operationId: 'queryPaymentLinks',
        description:
          'A body with `link_meta` creates a link and is answered with it, wrapped; every other body is a query and is answered with a list; a field that is no filter is refused. The page addresses of that list hold the whole query: they can be requested by GET, or by POST with the same body, because the page of an address overrides that of the body. Other fields may be sent twice with one value only.',
        tags,
        querystring: linkQuery,
        body: linkQueryOrCreation,
        response: { 200: { anyOf: [list, paymentLinkMade] } },
      },
    },
    async (request, reply) => {
      const { body, query } = request
      if (!isCreation(body)) {
        refuseContradiction(body, query)
        return page(world, request, { ...body, ...query })
      }
      refuseQuery(query)
      const made = await createLink(
        world,
        requestContextOf(request, body.idempotency_id),
        PAYMENT_LINK.readCreation(body),
      )
      return answerOnce(reply, { ...made, body: wrapped(made.body) })
    },
  )
}

function isCreation(body: NewPaymentLink | LinkQueryBody): body is NewPaymentLink {
  return 'link_meta' in body
}

/** A creation takes no query parameters. */
function refuseQuery(query: object): void {
  const names = Object.keys(query)
  if (names.length === 0) return
  const faults = Object.fromEntries(names.map((name) => [name, ['is not known']]))
  throw new Refusal('invalid_request', { faults })
}

/** The address of another page holds the whole query, so only the page may differ from the body. */
function refuseContradiction(body: Query, query: Query): void {
  const [sent, asked] = [meaningOf(body), meaningOf(query)]
  const names = FIELDS.filter(
    (name) =>
      name !== 'page' &&
      body[name] !== undefined &&
      query[name] !== undefined &&
      !isDeepStrictEqual(sent[name], asked[name]),
  )
  if (names.length === 0) return
  const fault = 'is not the same in the address and in the body'
  const faults = Object.fromEntries(names.map((name) => [name, [fault]]))
  throw new Refusal('invalid_request', { faults })
}

/** What has JSON types in a body is text in an address. */
function meaningOf(query: Query): Readonly<Record<string, unknown>> {
  const { order } = askedPage(numbered(query))
  return { ...numbered(query), ...filtersOf(query), order }
}

/** A function of the link's text, so that a repeat gets the same answer. */
function wrapped(link: string): string {
  return `{"status":200,"message":"the payment link is created","body":${link}}`
}

async function page(world: World, asked: FastifyRequest, query: Query) {
  const { publicAddress, caller, reading } = asked
  const request = { publicAddress, caller, reading, url: `${PATH}?${asAddress(query)}` }
  return answerListPage(world, request, LINKS, { ...numbered(query), ...filtersOf(query) })
}

function filtersOf(query: Query) {
  return {
    active: ifSent(query.active, isFlagSet),
    amount: ifSent(query.amount, openCentsOf),
    common_name: query.common_name,
    keywords: [query.keywords ?? []].flat(),
  }
}

function numbered({ page, limit, per_page, sort, order }: Query) {
  return onlySent({
    page: ifSent(page, Number),
    limit: ifSent(limit, Number),
    per_page: ifSent(per_page, Number),
    sort,
    order,
  })
}

function asAddress(query: Query): URLSearchParams {
  const sent = FIELDS.flatMap((name) =>
    [query[name] ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
  return new URLSearchParams(sent)
}
