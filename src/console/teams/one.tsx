// A team: its settings and those of its accounts, its keys, its endpoints, and links to its rows.

import { findTeam, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import { logosOf } from '../../accounts/keep-logo.ts'
import { MODES } from '../../accounts/key.ts'
import { type ListedKey, listKeys } from '../../accounts/manage-keys.ts'
import { LONGEST_KEY_NAME } from '../../accounts/read-key-change.ts'
import { counted, grouped } from '../../core/counts.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { isId } from '../../core/id.ts'
import { capitalized } from '../../core/sentence.ts'
import { countHeld, MOST_HELD } from '../../deliveries/parked.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { TeamFailures } from '../deliveries/list.tsx'
import {
  EndpointLink,
  EndpointStateWord,
  EventNames,
  NEW_ENDPOINT_PATH,
} from '../endpoints/list.tsx'
import { ActionButton, ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, fieldsOf, filledForm, type RefusedForm, TextField } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { FactCard, type Facts, LongText, OwnId, StatusWord } from '../parts/shown.tsx'
import { DELIVERIES_PATH, keyPath, teamPath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { TEAM_ACTIONS } from './actions.tsx'
import { teamState } from './list.tsx'
import { LookCard } from './look-card.tsx'
import { SettingsForm } from './settings-form.tsx'

export interface TeamParams {
  readonly id: string
}

export const ONE_TEAM: ObjectPage<TeamParams, TeamWithAccounts> = {
  place: 'teams',
  path: 'teams/:id',
  async find(world, { id }) {
    const isThere = isId(id) && (await world.db.prisma.team.count({ where: { id } })) > 0
    if (!isThere) throw new PageRefusal(404, 'Not found', 'There is no such team.')
    return findTeam(world, id)
  },
  title: ({ name }) => name,
  async body({ world, found: team, refused, formKey }) {
    const accountIds = team.accounts.map(({ id }) => id)
    const [keys, endpoints, logos, held] = await Promise.all([
      listKeys(world, team.id),
      endpointsOf(world, accountIds),
      logosOf(world.db, accountIds),
      countHeld(world, accountIds),
    ])
    const forms = { team, refused }
    const accounts = team.accounts.toReversed()
    return (
      <>
        <FactCard of={factsOf(team)} />
        {held === 0 ? null : <WaitingMessages team={team} held={held} asOf={world.clock.now()} />}
        <div class="columns">
          <SettingsForm section="team" title="The team" {...forms} />
          <SettingsForm
            section="payments"
            title="Payments"
            asks={`Change whether ${team.name} may take payments?`}
            {...forms}
          >
            <p class="quiet">
              Unless it is active and enabled, a team moves no money: its requests about payments
              are refused, reading them included, its pages take no payment, and its schedules wait.
              Its customers, invoices and webhooks go on.
            </p>
          </SettingsForm>
          {accounts.map(({ id, mode }) => (
            <SettingsForm
              key={id}
              section={mode}
              title={mode === 'live' ? 'Live account' : 'Sandbox account'}
              {...forms}
            />
          ))}
          {accounts.map((account) => (
            <LookCard key={account.id} account={account} logo={logos.get(account.id)} {...forms} />
          ))}
        </div>
        <TablePart
          id="keys"
          title="Keys"
          columns={columnsOf(team.id)}
          rows={keys}
          whenEmpty="The team has no key yet."
        >
          <NewKey teamId={team.id} newKeyId={formKey} refused={refused} />
        </TablePart>
        <Endpoints teamId={team.id} rows={endpoints} />
      </>
    )
  },
  takesFiles: true,
  actions: TEAM_ACTIONS,
}

function factsOf(team: TeamWithAccounts): Facts {
  const accountIds = team.accounts.map(({ id, mode }) => [
    `${capitalized(mode)} account`,
    <code key={id}>{id}</code>,
  ])
  return {
    Status: <StatusWord status={teamState(team)} />,
    Id: <OwnId id={team.id} />,
    ...Object.fromEntries(accountIds),
    'Lists of this team': <Ways team={team} />,
  }
}

interface WaitingProps {
  readonly team: TeamWithAccounts
  /** How many messages wait because the team is stopped. */
  readonly held: number
  /** When the page was made. */
  readonly asOf: Date
}

function WaitingMessages({ team, held, asOf }: WaitingProps) {
  const messages = held < MOST_HELD ? counted(held, 'message') : `${grouped(held)} or more messages`
  return (
    <section class="card stack" aria-labelledby="waiting">
      <h2 id="waiting">Waiting messages</h2>
      <p>
        <a href={`${DELIVERIES_PATH}?team=${team.id}`}>{messages}</a> (e-mails and texts) wait until
        the team is active and enabled. If its key was stolen, a thief may have queued them: drop
        them before you start it.
      </p>
      <ActionButton
        to={`${teamPath(team.id)}/drop-waiting`}
        asks={`Drop ${messages} of ${team.name}? They are never sent.`}
        fields={{ until: asOf.toISOString() }}
        kind="plain"
      >
        Drop them
      </ActionButton>
    </section>
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

interface NewKeyProps {
  readonly teamId: string
  /** The id of the key that the form creates. */
  readonly newKeyId: string
  readonly refused: RefusedForm | undefined
}

function columnsOf(teamId: string): readonly Column<ListedKey>[] {
  return [
    {
      head: 'Name',
      isMain: true,
      cell: ({ name }) => <LongText text={name} />,
      below: ({ prefix }) => <code>{prefix}…</code>,
    },
    {
      head: 'Mode',
      cell: ({ mode, dialect }) => (dialect === 'standard' ? mode : `${mode}, ${dialect}`),
    },
    { head: 'State', cell: (key) => <StatusWord status={key.state} /> },
    { head: 'Created (UTC)', named: 'Created', cell: (key) => key.createdAt },
    { head: 'Expires (UTC)', named: 'Expires', cell: (key) => key.expiresAt },
    { head: 'Last used (UTC)', named: 'Last used', cell: (key) => key.lastUsedAt },
    {
      head: '',
      cell: ({ id, name }) => (
        <a href={keyPath(teamId, id)}>
          Change<span class="hidden"> {name}</span>…
        </a>
      ),
    },
  ]
}

function NewKey({ teamId, newKeyId, refused }: NewKeyProps) {
  const field = fieldsOf(filledForm(refused, 'keys'))
  return (
    <ActionForm to={`${teamPath(teamId)}/keys`} class="card filters" fields={{ id: newKeyId }}>
      <h3>New key</h3>
      <div class="filter-fields">
        <ChoiceField {...field('mode')} label="Mode" choices={MODES} />
        <TextField {...field('key_name')} label="Name" longest={LONGEST_KEY_NAME} isRequired />
        <ChoiceField {...field('dialect')} label="Dialect" choices={DIALECTS} />
        <TextField
          {...field('expires')}
          label="Expires"
          hint="90d, 12h or a date; empty for never."
        />
        <Submit>Create key</Submit>
      </div>
    </ActionForm>
  )
}

const MOST_SHOWN = 100

type TeamEndpoint = Awaited<ReturnType<typeof endpointsOf>>[number]

/** Without their secrets. */
function endpointsOf(world: World, accountIds: readonly string[]) {
  return world.db.prisma.webhook.findMany({
    where: { accountId: { in: [...accountIds] }, deletedAt: null },
    select: {
      accountId: true,
      id: true,
      targetUrl: true,
      events: true,
      status: true,
      pausedAt: true,
      disabledReason: true,
      failingSince: true,
      deletedAt: true,
    },
    orderBy: { createdAt: 'desc' },
    take: MOST_SHOWN,
  })
}

function Endpoints({ teamId, rows }: { teamId: string; rows: readonly TeamEndpoint[] }) {
  return (
    <TablePart
      id="endpoints"
      title="Webhooks"
      columns={COLUMNS}
      rows={rows}
      whenEmpty="This team has no webhook endpoints."
    >
      <p class="ways">
        <a href={pathWith(NEW_ENDPOINT_PATH, {}, { team: teamId })}>Add an endpoint</a>
        <TeamFailures teamId={teamId} />
      </p>
    </TablePart>
  )
}

const COLUMNS: readonly Column<TeamEndpoint>[] = [
  { head: 'Endpoint', class: 'says', isMain: true, cell: (row) => <EndpointLink endpoint={row} /> },
  { head: 'State', class: 'wrap', cell: (row) => <EndpointStateWord row={row} /> },
  { head: 'Events', class: 'wrap', cell: (row) => <EventNames events={row.events} /> },
]
