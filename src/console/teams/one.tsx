// A team: its settings and those of its accounts, its keys, its endpoints, and links to its rows.

import type { ComponentChildren } from 'preact'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES, type Mode } from '../../accounts/key.ts'
import type { LogoFacts } from '../../accounts/look.ts'
import type { ListedKey } from '../../accounts/manage-keys.ts'
import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import type { Operator } from '../../operators/session.ts'
import type { Form } from '../../web/forms.ts'
import { ActionCard } from '../parts/action-form.tsx'
import { ChoiceField, FlagField, FormFault, type FormFaults, TextField } from '../parts/fields.tsx'
import { FactList, StatusWord } from '../parts/shown.tsx'
import { Endpoints, type TeamEndpoint } from './endpoints.tsx'
import { Keys } from './keys.tsx'
import { TEAMS_PATH } from './list.tsx'
import { LookCard } from './look-card.tsx'
import {
  GATEWAY_CHOICES,
  type RefusedTeam,
  TEAM_STATUSES,
  type TeamSection,
  teamSettings,
  textOfShown,
} from './settings.ts'

const FLAGS = {
  sms_enabled: 'SMS',
  split_funding_enabled: 'Split funding',
  settlement_tokenization_enabled: 'Settlement tokenization',
} as const

export interface OneTeamProps {
  readonly team: TeamWithAccounts
  readonly keys: readonly ListedKey[]
  readonly newKeyId: string
  readonly endpoints: readonly TeamEndpoint[]
  /** By account. */
  readonly logos: ReadonlyMap<string, LogoFacts>
  readonly operator: Operator
  readonly refused: RefusedTeam | undefined
}

export function OneTeam(props: OneTeamProps) {
  const { team, keys, newKeyId, endpoints, operator, refused } = props
  return (
    <>
      <section class="card" aria-label="Facts">
        <FactList
          of={{
            Status: <StatusWord status={team.enabled ? team.status : 'disabled'} />,
            Id: <code>{team.id}</code>,
            ...Object.fromEntries(
              team.accounts.map(({ id, mode }) => [`Account ${mode}`, <code key={id}>{id}</code>]),
            ),
            'See its': <Ways team={team} />,
          }}
        />
      </section>
      {refused === undefined || refused.section === 'keys' ? null : (
        <FormFault text="Nothing was saved: see what is marked below." />
      )}
      <div class="columns">
        <TeamForm {...props} />
        <PaymentsForm {...props} />
        {MODES.toReversed().map((mode) => (
          <AccountForm key={mode} mode={mode} {...props} />
        ))}
        {team.accounts.toReversed().map((account) => (
          <LookCard
            key={account.id}
            {...{ account, operator, teamId: team.id, teamName: team.name }}
            {...shownOf(props, `${account.mode}-look`)}
            shown={textOfShown(team, `${account.mode}-look`)}
            logo={props.logos.get(account.id)}
          />
        ))}
      </div>
      <Keys
        teamId={team.id}
        keys={keys}
        newKeyId={newKeyId}
        operator={operator}
        refused={refused?.section === 'keys' ? refused : undefined}
      />
      <Endpoints teamId={team.id} rows={endpoints} />
    </>
  )
}

function Ways({ team }: { team: TeamWithAccounts }) {
  const places = [
    ['transactions', 'transactions'],
    ['batches', 'batches'],
    ['customers', 'customers'],
    ['links', 'payment links'],
    ['invoices', 'invoices'],
    ['schedules', 'schedules'],
    ['endpoints', 'endpoints'],
    ['deliveries', 'deliveries'],
    ['events', 'events'],
    ['outbox', 'outbox'],
  ] as const
  return (
    <span class="ways">
      {places.map(([place, words]) => (
        <a key={place} href={`/admin/${place}?team=${team.id}`}>
          {words}
        </a>
      ))}
    </span>
  )
}

/** The texts of a section's fields: as they were typed if the form was refused, or as saved. */
function shownOf(
  { team, refused }: OneTeamProps,
  section: TeamSection,
): { readonly settings: Form; readonly faults: FormFaults } {
  if (refused?.section === section) return { settings: refused.typed, faults: refused.faults }
  const settings = teamSettings(team, section).map(({ field, current }) => [field, current])
  return { settings: Object.fromEntries(settings), faults: {} }
}

function TeamForm(props: OneTeamProps) {
  const { settings, faults } = shownOf(props, 'team')
  const field = (name: string) => ({ name, value: settings[name], fault: faults[name] })
  return (
    <SectionForm section="team" title="The team" {...props}>
      <TextField {...field('name')} label="Name" longest={120} isRequired />
      <TextField
        {...field('email')}
        label="E-mail"
        hint="Reply-to address for receipts, and for our notices."
      />
      {Object.entries(FLAGS).map(([name, words]) => (
        <FlagField key={name} name={name} label={words} isSet={settings[name] === 'true'} />
      ))}
    </SectionForm>
  )
}

/** The API shows both settings; either one stops all payments. */
function PaymentsForm(props: OneTeamProps) {
  const { settings, faults } = shownOf(props, 'payments')
  const { name } = props.team
  return (
    <SectionForm
      section="payments"
      title="Payments"
      asks={`Change whether ${name} may take payments?`}
      {...props}
    >
      <p class="quiet">
        Unless it is active and enabled, a team moves no money: its requests about payments are
        refused, reading them included, its pages take no payment, and its schedules wait. Its
        customers, invoices and webhooks go on.
      </p>
      <ChoiceField
        name="status"
        value={settings.status}
        fault={faults.status}
        label="Status"
        choices={TEAM_STATUSES}
        hint="Inactive: requests are answered team_inactive."
      />
      <FlagField
        name="enabled"
        label="Enabled"
        isSet={settings.enabled === 'true'}
        hint="Otherwise requests are answered team_disabled."
      />
    </SectionForm>
  )
}

function AccountForm(props: OneTeamProps & { mode: Mode }) {
  const { mode } = props
  const { settings, faults } = shownOf(props, mode)
  if (Object.keys(settings).length === 0) return null
  const field = (own: string) => {
    const name = `${mode}_${own}`
    return { name, value: settings[name], fault: faults[name] }
  }
  const receipts = settings[`${mode}_receipts`]?.split(',') ?? []
  return (
    <SectionForm
      section={mode}
      title={mode === 'live' ? 'Live account' : 'Sandbox account'}
      {...props}
    >
      <TextField {...field('rate_limit')} label="Requests a minute" inputMode="numeric" />
      <TextField
        {...field('cutoff')}
        label="The business day ends at"
        hint="Applies from the next batch. An open batch keeps its cutoff."
      />
      <TextField {...field('timezone')} label="In the time zone" />
      <TextField
        {...field('retry_days')}
        label="Retry days"
        hint="Days after which a failed automatic payment is retried. Leave empty for no retries."
      />
      {mode === 'live' ? (
        <ChoiceField {...field('gateway')} label="Gateway" choices={GATEWAY_CHOICES} />
      ) : null}
      <fieldset>
        <legend>Automatic receipts</legend>
        {MESSAGE_CHANNELS.map((channel) => (
          <FlagField
            key={channel}
            name={`${mode}_receipts_${channel}`}
            label={channel === 'email' ? 'By e-mail' : 'By SMS'}
            isSet={receipts.includes(channel)}
          />
        ))}
      </fieldset>
    </SectionForm>
  )
}

interface SectionFormProps extends OneTeamProps {
  readonly section: TeamSection
  readonly title: string
  /** The question before it is saved. */
  readonly asks?: string
  readonly children: ComponentChildren
}

function SectionForm({
  section,
  title,
  asks,
  team,
  operator,
  refused,
  children,
}: SectionFormProps) {
  const fault = refused?.section === section ? refused.faults.form : undefined
  return (
    <ActionCard
      title={title}
      id={`section-${section}`}
      to={`${TEAMS_PATH}/${team.id}/${section}`}
      operator={operator}
      asks={asks}
      button="Save"
    >
      <FormFault text={fault} />
      <input type="hidden" name="shown" value={textOfShown(team, section)} />
      {children}
    </ActionCard>
  )
}
