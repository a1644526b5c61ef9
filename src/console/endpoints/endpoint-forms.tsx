// The forms that act on an endpoint, and the fields that they share with the form for a new one.

import { isDeepStrictEqual } from 'node:util'
import type { ComponentChildren } from 'preact'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { counted } from '../../core/counts.ts'
import { Refusal } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { LONGEST_WEB_ADDRESS } from '../../core/text.ts'
import { EVENT_NAMES } from '../../events/event-names.ts'
import type { Form } from '../../web/forms.ts'
import { targetFormFault } from '../../webhooks/check-target.ts'
import type { NewWebhook } from '../../webhooks/create-webhook.ts'
import { endpointState, type SeenEndpoint } from '../../webhooks/endpoints-anywhere.ts'
import { ActionCard, ActionForm, Submit } from '../parts/action-form.tsx'
import {
  ChoiceField,
  type FilledForm,
  FlagField,
  type FormFaults,
  fieldsOf,
  filledForm,
  TextField,
} from '../parts/fields.tsx'
import type { Shown } from '../parts/object-page.tsx'
import { endpointPath } from '../paths.ts'

export interface OfEndpoint {
  readonly endpoint: SeenEndpoint
  readonly account: AccountWithTeam
}

export function EndpointFields({ typed, faults }: FilledForm) {
  const count = EVENT_NAMES.filter((name) => typed[eventField(name)] === 'on').length
  return (
    <>
      <TextField
        {...fieldsOf({ typed, faults })('target_url')}
        label="Address"
        placeholder="https://shop.example/events"
        isRequired
      />
      <details>
        <summary>{count === 0 ? 'All events' : counted(count, 'event')}</summary>
        <fieldset class="names">
          <legend class="quiet hint">With none of them ticked, it gets all events.</legend>
          {EVENT_NAMES.map((name) => (
            <FlagField
              key={name}
              name={eventField(name)}
              label={name}
              isSet={typed[eventField(name)] === 'on'}
            />
          ))}
        </fieldset>
      </details>
    </>
  )
}

type FormsProps = Shown<OfEndpoint>

export function EndpointForms(props: FormsProps) {
  const { found, formKey } = props
  const { endpoint } = found
  const state = endpointState(endpoint)
  return (
    <>
      {state === 'disabled' || state === 'paused' ? null : (
        <TestForm endpoint={endpoint} formKey={formKey} />
      )}
      <div class="columns">
        <ChangeForm {...props} />
        <div class="stack">
          {state === 'disabled' ? null : <ReplayForm {...props} />}
          <RollForm {...props} />
        </div>
        <StateForms {...found} />
      </div>
    </>
  )
}

interface TestFormProps {
  readonly endpoint: SeenEndpoint
  readonly formKey: string
}

export function TestForm({ endpoint, formKey }: TestFormProps) {
  return (
    <ActionForm to={`${endpointPath(endpoint)}/test`} class="stack" fields={{ key: formKey }}>
      <Submit>Send test event</Submit>
    </ActionForm>
  )
}

function shownVersion({ version }: SeenEndpoint) {
  return { version: String(version) }
}

function ChangeForm({ found: { endpoint }, refused }: FormsProps) {
  const filled = filledForm(refused, 'set', endpointFields(endpoint))
  return (
    <ActionCard
      title="Address and events"
      to={`${endpointPath(endpoint)}/set`}
      fields={shownVersion(endpoint)}
      button="Save"
    >
      <EndpointFields {...filled} />
    </ActionCard>
  )
}

function ReplayForm({ found: { endpoint }, refused }: FormsProps) {
  const filled = filledForm(refused, 'replay')
  return (
    <ActionCard
      title="Replay events"
      to={`${endpointPath(endpoint)}/replay`}
      asks="Send all events since this time?"
      says={
        <>
          Sends all events since a time that it subscribes to, also those that it has had already or
          that are older than the endpoint. Each keeps its <code>webhook-id</code>.
        </>
      }
      fields={shownVersion(endpoint)}
      button="Replay events"
    >
      <TextField
        {...fieldsOf(filled)('since')}
        label="Since (UTC)"
        placeholder="2026-03-06 15:00"
        hint="A date, with or without a time; at most 30 days ago."
        isRequired
      />
    </ActionCard>
  )
}

/** In seconds, as the API takes it. */
export const OVERLAPS = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
  ['604800', 'in 7 days'],
] as const

const ROLL_ASKS = 'Roll the secret? A new one is created, and the current one expires as chosen.'
const ROLL_SAYS =
  'The new secret is shown once. Until the current one expires, deliveries are signed with both.'

function RollForm({ found: { endpoint }, refused }: FormsProps) {
  const filled = filledForm(refused, 'roll', { overlap: '86400' })
  return (
    <ActionCard
      title="Roll the secret"
      to={`${endpointPath(endpoint)}/roll`}
      asks={ROLL_ASKS}
      says={ROLL_SAYS}
      fields={shownVersion(endpoint)}
      button="Roll secret"
    >
      <ChoiceField
        {...fieldsOf(filled)('overlap')}
        label="The current one expires"
        choices={OVERLAPS}
      />
    </ActionCard>
  )
}

function StateForms({ endpoint, account: { team } }: OfEndpoint) {
  const path = endpointPath(endpoint)
  const whose = `this endpoint of ${team.name}`
  const isPaused = endpoint.pausedAt !== null
  return (
    <section class="card stack" aria-labelledby="state">
      <h2 id="state">State</h2>
      {endpoint.status === 'disabled' ? (
        <StateForm
          to={`${path}/enable`}
          says="It gets the events that follow. A replay sends those that it missed."
          button="Enable endpoint"
        >
          {isPaused ? <p class="quiet">It stays paused: resume it afterwards.</p> : null}
        </StateForm>
      ) : (
        <>
          {isPaused ? (
            <StateForm
              to={`${path}/resume`}
              says="Its deliveries wait. They are sent when it is resumed."
              button="Resume endpoint"
            />
          ) : (
            <StateForm
              to={`${path}/pause`}
              asks={`Pause ${whose}? Its deliveries wait meanwhile.`}
              says="Paused: its deliveries wait, and none is lost."
              button="Pause endpoint"
              kind="plain"
            />
          )}
          <StateForm
            to={`${path}/disable`}
            asks={`Disable ${whose}? It misses all events, and what waits fails as it falls due.`}
            says="Disabled: it misses all events, and its waiting deliveries fail as they fall due."
            button="Disable endpoint"
            kind="plain"
          />
        </>
      )}
      <StateForm
        to={`${path}/delete`}
        asks={`Delete ${whose}? It gets no more events. This can’t be undone.`}
        says="Deleted: it gets nothing any more. Its past deliveries can still be seen."
        button="Delete endpoint"
        kind="danger"
      />
    </section>
  )
}

interface StateFormProps {
  readonly to: string
  readonly asks?: string
  readonly says: string
  readonly button: string
  readonly kind?: 'plain' | 'danger'
  readonly children?: ComponentChildren
}

function StateForm({ to, asks, says, button, kind, children }: StateFormProps) {
  return (
    <ActionForm to={to} class="stack" asks={asks}>
      <p class="quiet">{says}</p>
      {children}
      <Submit kind={kind}>{button}</Submit>
    </ActionForm>
  )
}

function eventField(name: string): string {
  return `event_${name}`
}

/** The values as the form has them, for an endpoint that exists. */
function endpointFields({ targetUrl, events }: NewWebhook): Form {
  const ticked = events.filter((name) => name !== '*').map((name) => [eventField(name), 'on'])
  return { target_url: targetUrl, ...Object.fromEntries(ticked) }
}

/**
 * With no event ticked it gets all of them. `current`: its events so far. A merchant may have named
 * them in an order of its own, which the boxes cannot show.
 */
export function readEndpoint(
  form: Form,
  current: readonly string[] = [],
): {
  readonly faults: FormFaults
  readonly input: NewWebhook
} {
  const targetUrl = (form.target_url ?? '').trim()
  const ticked = EVENT_NAMES.filter((name) => form[eventField(name)] === 'on')
  const chosen = ticked.length === 0 ? ['*'] : ticked
  const isKept = isDeepStrictEqual([...chosen].sort(), [...current].sort())
  const events = isKept ? current : chosen
  return { faults: addressFaults(targetUrl), input: { targetUrl, events } }
}

function addressFaults(text: string): FormFaults {
  if (text === '') return { target_url: 'Enter the address.' }
  if (text.length > LONGEST_WEB_ADDRESS) {
    return { target_url: `Enter at most ${LONGEST_WEB_ADDRESS} characters.` }
  }
  const fault = targetFormFault(text)
  return fault === undefined ? {} : { target_url: sentenceOf(`The address ${fault}`) }
}

/** The faults that only the action itself finds. Undefined if the error is of another kind. */
export function refusalFaults(error: Error): FormFaults | undefined {
  if (!(error instanceof Refusal) || error.code === 'not_found') return undefined
  const { target_url: address, since } = error.faults ?? {}
  if (address?.[0] !== undefined) return { target_url: sentenceOf(`The address ${address[0]}`) }
  if (since?.[0] !== undefined) return { since: sentenceOf(`The time ${since[0]}`) }
  return { form: sentenceOf(error.message) }
}
