// The shape of a page about one object, or of the form that makes one: how its address finds what
// it shows, and what its forms do. A form that did its work leads back to the page, which says once
// what was done. After a refusal the page shows the form as it was typed, with the faults.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { Refusal } from '../../core/errors.ts'
import { OperatorError } from '../../core/operator-error.ts'
import type { AssetName } from '../../web/assets.ts'
import { type Policy, policyText } from '../../web/browser-rules.ts'
import { type Form, formOf, linesOf, readUploads, UPLOAD_BYTES } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { type DoneText, redirectDone, takeDone } from '../done.ts'
import type { MenuPlace } from '../layout.tsx'
import { type QueryParams, queryOf } from '../query.ts'
import { operatorOf, type SignedInOperator } from '../who.ts'
import type { FormFaults, RefusedForm } from './fields.tsx'

export interface ObjectPage<Params, Found> {
  readonly place?: MenuPlace
  /** The page is `/admin/<path>`. By default it is `<place>/:account/:id`. */
  readonly path?: string
  /** Throws a `PageRefusal` if there is no such object. */
  readonly find: (world: World, params: Params, request: FastifyRequest) => Promise<Found>
  readonly title: (found: Found) => string
  readonly styles?: readonly AssetName[]
  /** What the browser may load for this page beyond what it may for others. */
  readonly policy?: Policy
  readonly body: (shown: Shown<Found>) => VNode | Promise<VNode>
  /** True if its forms may contain files. */
  readonly takesFiles?: boolean
  /** What the form does that is sent to the address of the page. */
  readonly submit?: Action<Found>
  /** What its other forms do, by the part of their address after that of the page. */
  readonly actions?: Readonly<Record<string, Action<Found>>>
  /** The faults of a form that the service refused. Without any, a page of its own says why. */
  readonly faultsBy?: (
    error: Refusal | OperatorError,
    acting: Acting<Found>,
    now: Found,
  ) => FormFaults | undefined
}

export interface Shown<Found> {
  readonly world: World
  readonly found: Found
  readonly operator: SignedInOperator
  readonly query: QueryParams
  /** The form that was refused. */
  readonly refused: RefusedForm | undefined
  /**
   * Made with the forms, so that sending one twice has one effect. A refused form for a new object
   * keeps its key.
   */
  readonly formKey: string
}

export interface Acting<Found> {
  readonly world: World
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Its name among the actions of the page. Empty for `submit`. */
  readonly action: string
  readonly form: Form
  readonly found: Found
}

export type Action<Found> = (acting: Acting<Found>) => Promise<string | Outcome>

/** A text alone says what was done, on the page of the object. */
export type Outcome =
  | { readonly done: string | DoneText; readonly path: string }
  /** The form is shown as it was typed, unless `typed` says otherwise. */
  | { readonly faults: FormFaults; readonly typed?: Form }
  /** A page that cannot be opened again, since it shows a secret. */
  | { readonly title: string; readonly once: VNode }

const SEE_OTHER = 303
const REFUSED = 422

export function addObjectPage<Params, Found>(
  own: FastifyInstance,
  world: World,
  page: ObjectPage<Params, Found>,
): void {
  const find = (request: FastifyRequest) => page.find(world, request.params as Params, request)
  own.get(pathOf(page), async (request, reply) =>
    show({ world, reply }, page, { found: await find(request) }),
  )
  if (page.takesFiles === true) {
    own.register(async (forms) => {
      readUploads(forms)
      addForms(forms, world, page, { bodyLimit: UPLOAD_BYTES })
    })
  } else addForms(own, world, page, {})
}

function pathOf({ path, place }: Pick<ObjectPage<never, never>, 'path' | 'place'>): string {
  return `/${path ?? `${place}/:account/:id`}`
}

function addForms<Params, Found>(
  forms: FastifyInstance,
  world: World,
  page: ObjectPage<Params, Found>,
  options: { readonly bodyLimit?: number },
): void {
  const path = pathOf(page)
  const find = (request: FastifyRequest) => page.find(world, request.params as Params, request)
  const receive = (action: string, address: string, act: Action<Found>) =>
    forms.post(address, options, async (request, reply) => {
      const [form, found] = [formOf(request), await find(request)]
      const acting = { world, request, reply, action, form, found }
      try {
        return await answerOutcome(acting, page, await act(acting))
      } catch (error) {
        const isRefusal = error instanceof Refusal || error instanceof OperatorError
        if (!isRefusal || page.faultsBy === undefined) throw error
        const now = await find(request)
        const faults = page.faultsBy(error, acting, now)
        if (faults === undefined) throw error
        // With its old key the form could not be sent again.
        const isConflict = error instanceof Refusal && error.code === 'idempotency_conflict'
        const typed = linesOf(isConflict ? { ...form, key: '' } : form)
        const status = error instanceof Refusal ? error.status : REFUSED
        return show(acting, page, { found: now, refused: { form: action, typed, faults }, status })
      }
    })
  if (page.submit !== undefined) receive('', path, page.submit)
  for (const [action, act] of Object.entries(page.actions ?? {})) {
    receive(action, `${path}/${action}`, act)
    // A refused form leaves this address in the browser, whose reader may open it once more.
    forms.get(`${path}/${action}`, async ({ url }, reply) =>
      reply.redirect(pageOf(url, action), SEE_OTHER),
    )
  }
}

function answerOutcome<Params, Found>(
  acting: Acting<Found>,
  page: ObjectPage<Params, Found>,
  outcome: string | Outcome,
): Promise<FastifyReply> | FastifyReply {
  const { world, request, reply, action, form, found } = acting
  if (typeof outcome === 'string') {
    return redirectDone(world, reply, pageOf(request.url, action), outcome)
  }
  if ('done' in outcome) return redirectDone(world, reply, outcome.path, outcome.done)
  if ('faults' in outcome) {
    const refused = { typed: linesOf(form), ...outcome, form: action }
    return show(acting, page, { found, refused, status: REFUSED })
  }
  return answerConsole(reply, { title: outcome.title, place: page.place }, outcome.once)
}

async function show<Params, Found>(
  { world, reply }: Pick<Acting<Found>, 'world' | 'reply'>,
  { title, place, styles = [], policy, body }: ObjectPage<Params, Found>,
  { found, refused, status = 200 }: { found: Found; refused?: RefusedForm; status?: number },
): Promise<FastifyReply> {
  const operator = operatorOf(reply.request)
  const query = queryOf(reply.request)
  const formKey = (refused?.form === '' && refused.typed.key) || world.newId()
  const content = await body({ world, found, operator, query, refused, formKey })
  if (policy !== undefined) reply.header('content-security-policy', policyText(policy))
  const done = takeDone(world, reply)
  return answerConsole(reply, { title: title(found), place, done, styles, status }, content)
}

/** The page's own address, from that of one of its actions. */
function pageOf(url: string, action: string): string {
  const [path = ''] = url.split('?')
  return action === '' ? path : path.slice(0, -`/${action}`.length)
}
