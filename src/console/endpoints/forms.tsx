// The forms of an endpoint: to add one, and to act on one.

import { MODES } from '../../accounts/key.ts'
import { counted } from '../../core/counts.ts'
import { EVENT_NAMES } from '../../events/event-names.ts'
import type { Team } from '../../generated/client.ts'
import type { Operator } from '../../operators/session.ts'
import type { Form } from '../../web/forms.ts'
import { endpointState, type SeenEndpoint } from '../../webhooks/endpoints-anywhere.ts'
import {
  ActionForm,
  ChoiceField,
  FlagField,
  FormFault,
  type FormFaults,
  TextField,
} from '../parts/fields.tsx'
import { ENDPOINTS_PATH, endpointPath } from './list.tsx'
import { type EndpointForm, endpointFields, eventField, type RefusedEndpoint } from './typed.ts'

interface NewEndpointProps {
  /** The key of the request that creates it, so that a form sent twice creates one. */
  readonly requestKey: string
  readonly typed: Form
  readonly faults?: FormFaults | undefined
  readonly operator: Operator
}

export function NewEndpoint({ requestKey, typed, faults = {}, operator }: NewEndpointProps) {
  const field = (name: string) => ({ name, value: typed[name], fault: faults[name] })
  return (
    <ActionForm to={ENDPOINTS_PATH} operator={operator} class="card stack">
      <input type="hidden" name="key" value={requestKey} />
      <FormFault text={faults.form} />
      <TextField {...field('team')} label="Team" hint="Its name or id." isRequired />
      <ChoiceField {...field('mode')} label="Mode" choices={MODES} />
      <EndpointFields typed={typed} faults={faults} />
      <div class="row level">
        <button type="submit">Add endpoint</button>
        <a href={ENDPOINTS_PATH}>Cancel</a>
      </div>
    </ActionForm>
  )
}

function EndpointFields({ typed, faults }: { typed: Form; faults: FormFaults }) {
  const count = EVENT_NAMES.filter((name) => typed[eventField(name)] === 'on').length
  return (
    <>
      <TextField
        name="target_url"
        value={typed.target_url}
        fault={faults.target_url}
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

interface FormsProps {
  readonly endpoint: SeenEndpoint
  readonly team: Pick<Team, 'name'>
  readonly requestKey: string
  readonly refused: RefusedEndpoint | undefined
  readonly operator: Operator
}

export function EndpointForms(props: FormsProps) {
  const { endpoint } = props
  const state = endpointState(endpoint)
  return (
    <>
      {state === 'disabled' || state === 'paused' ? null : <TestForm {...props} />}
      <div class="columns">
        <ChangeForm {...props} />
        <div class="stack">
          {state === 'disabled' ? null : <ReplayForm {...props} />}
          <RollForm {...props} />
        </div>
        <StateForms {...props} />
      </div>
    </>
  )
}

function refusedOf({ refused }: FormsProps, form: EndpointForm) {
  return refused?.form === form ? refused : undefined
}

export function TestForm(props: Pick<FormsProps, 'endpoint' | 'requestKey' | 'operator'>) {
  const { endpoint, requestKey, operator } = props
  return (
    <ActionForm to={`${endpointPath(endpoint)}/test`} operator={operator} class="stack">
      <input type="hidden" name="key" value={requestKey} />
      <div class="row">
        <button type="submit">Send test event</button>
      </div>
    </ActionForm>
  )
}

function ChangeForm(props: FormsProps) {
  const { endpoint, operator } = props
  const refused = refusedOf(props, 'set')
  const typed = refused?.typed ?? endpointFields(endpoint)
  return (
    <ActionForm to={`${endpointPath(endpoint)}/set`} operator={operator} class="card stack">
      <h2>Address and events</h2>
      <input type="hidden" name="version" value={String(endpoint.version)} />
      <EndpointFields typed={typed} faults={refused?.faults ?? {}} />
      <div class="row">
        <button type="submit">Save</button>
      </div>
    </ActionForm>
  )
}

function ReplayForm(props: FormsProps) {
  const { endpoint, operator } = props
  const refused = refusedOf(props, 'replay')
  return (
    <ActionForm
      to={`${endpointPath(endpoint)}/replay`}
      operator={operator}
      class="card stack"
      asks="Send all events since this time?"
    >
      <h2>Replay events</h2>
      <p class="quiet">
        Sends all events since a time that it subscribes to, also those that it has had already or
        that are older than the endpoint. Each keeps its <code>webhook-id</code>.
      </p>
      <input type="hidden" name="version" value={String(endpoint.version)} />
      <TextField
        name="since"
        value={refused?.typed.since}
        fault={refused?.faults.since}
        label="Since (UTC)"
        placeholder="2026-03-06 15:00"
        hint="A date, with or without a time; at most 30 days ago."
        isRequired
      />
      <div class="row">
        <button type="submit">Replay events</button>
      </div>
    </ActionForm>
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

function RollForm(props: FormsProps) {
  const { endpoint, operator } = props
  const refused = refusedOf(props, 'roll')
  return (
    <ActionForm
      to={`${endpointPath(endpoint)}/roll`}
      operator={operator}
      class="card stack"
      asks={ROLL_ASKS}
    >
      <h2>Roll the secret</h2>
      <p class="quiet">
        The new secret is shown once. Until the current one expires, deliveries are signed with
        both.
      </p>
      <input type="hidden" name="version" value={String(endpoint.version)} />
      <ChoiceField
        name="overlap"
        value={refused?.typed.overlap ?? '86400'}
        fault={refused?.faults.overlap}
        label="The current one expires"
        choices={OVERLAPS}
      />
      <div class="row">
        <button type="submit">Roll secret</button>
      </div>
    </ActionForm>
  )
}

function StateForms({ endpoint, team, operator }: FormsProps) {
  const path = endpointPath(endpoint)
  const whose = `this endpoint of ${team.name}`
  const isPaused = endpoint.pausedAt !== null
  return (
    <section class="card stack" aria-labelledby="state">
      <h2 id="state">State</h2>
      {endpoint.status === 'disabled' ? (
        <ActionForm to={`${path}/enable`} operator={operator} class="stack">
          <p class="quiet">It gets the events that follow. A replay sends those that it missed.</p>
          <div class="row">
            <button type="submit">Enable endpoint</button>
          </div>
        </ActionForm>
      ) : (
        <>
          <ActionForm
            to={`${path}/${isPaused ? 'resume' : 'pause'}`}
            operator={operator}
            class="stack"
            {...(isPaused ? {} : { asks: `Pause ${whose}? Its deliveries wait meanwhile.` })}
          >
            <p class="quiet">
              {isPaused
                ? 'Its deliveries wait. They are sent when it is resumed.'
                : 'Paused: its deliveries wait, and none is lost.'}
            </p>
            <div class="row">
              <button type="submit" class={isPaused ? undefined : 'plain'}>
                {isPaused ? 'Resume endpoint' : 'Pause endpoint'}
              </button>
            </div>
          </ActionForm>
          <ActionForm
            to={`${path}/disable`}
            operator={operator}
            class="stack"
            asks={`Disable ${whose}? It misses all events, and what waits fails as it falls due.`}
          >
            <p class="quiet">
              Disabled: it misses all events, and its waiting deliveries fail as they fall due.
            </p>
            <div class="row">
              <button type="submit" class="plain">
                Disable endpoint
              </button>
            </div>
          </ActionForm>
        </>
      )}
      <ActionForm
        to={`${path}/delete`}
        operator={operator}
        class="stack"
        asks={`Delete ${whose}? It gets no more events. This can’t be undone.`}
      >
        <p class="quiet">
          Deleted: it gets nothing any more. Its past deliveries can still be seen.
        </p>
        <div class="row">
          <button type="submit" class="danger">
            Delete endpoint
          </button>
        </div>
      </ActionForm>
    </section>
  )
}
