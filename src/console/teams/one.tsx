// A team: its settings and those of its accounts, its keys, its endpoints, and links to its rows.

import { findTeam, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import { logosOf } from '../../accounts/keep-logo.ts'
import type { LogoFacts } from '../../accounts/look.ts'
import { type ListedKey, listKeys } from '../../accounts/manage-keys.ts'
import { counted, grouped } from '../../core/counts.ts'
import { isId } from '../../core/id.ts'
import { capitalized } from '../../core/sentence.ts'
import { countHeld, MOST_HELD } from '../../deliveries/parked.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { ActionButton } from '../parts/action-form.tsx'
import type { RefusedForm } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { FactCard, StatusWord } from '../parts/shown.tsx'
import { DELIVERIES_PATH, teamPath } from '../paths.ts'
import { TEAM_ACTIONS } from './acts.tsx'
import { Endpoints, endpointsOf, type TeamEndpoint } from './endpoints.tsx'
import { Keys } from './keys.tsx'
import { teamState } from './list.tsx'
import { LookCard } from './look-card.tsx'
import { SettingsForm } from './settings-form.tsx'

export interface TeamParams {
  readonly id: string
}

export const ONE_TEAM: ObjectPage<TeamParams, TeamWithAccounts, RefusedForm> = {
  place: 'teams',
  path: 'teams/:id',
  async find(world, { id }) {
    const isThere = isId(id) && (await world.db.prisma.team.count({ where: { id } })) > 0
    if (!isThere) throw new PageRefusal(404, 'Not found', 'There is no such team.')
    return findTeam(world, id)
  },
  title: ({ name }) => name,
  async body({ world, found: team, refused }) {
    const accountIds = team.accounts.map(({ id }) => id)
    const [keys, endpoints, logos, held] = await Promise.all([
      listKeys(world, team.id),
      endpointsOf(world, accountIds),
      logosOf(world.db, accountIds),
      countHeld(world, accountIds),
    ])
    const newKeyId = world.newId()
    const asOf = world.clock.now()
    return <OneTeam {...{ team, keys, newKeyId, endpoints, logos, held, asOf, refused }} />
  },
  takesFiles: true,
  actions: TEAM_ACTIONS,
}

interface OneTeamProps {
  readonly team: TeamWithAccounts
  readonly keys: readonly ListedKey[]
  readonly newKeyId: string
  readonly endpoints: readonly TeamEndpoint[]
  /** By account. */
  readonly logos: ReadonlyMap<string, LogoFacts>
  /** How many messages wait because the team is stopped. */
  readonly held: number
  /** When the page was made. */
  readonly asOf: Date
  readonly refused: RefusedForm | undefined
}

function OneTeam(props: OneTeamProps) {
  const { team, keys, newKeyId, endpoints, logos, held, asOf, refused } = props
  const accounts = team.accounts.toReversed()
  const forms = { team, refused }
  return (
    <>
      <FactCard
        of={{
          Status: <StatusWord status={teamState(team)} />,
          Id: <code>{team.id}</code>,
          ...Object.fromEntries(
            team.accounts.map(({ id, mode }) => [
              `${capitalized(mode)} account`,
              <code key={id}>{id}</code>,
            ]),
          ),
          'Lists of this team': <Ways team={team} />,
        }}
      />
      {held === 0 ? null : <WaitingMessages {...{ team, held, asOf }} />}
      <div class="columns">
        <SettingsForm section="team" title="The team" {...forms} />
        <SettingsForm
          section="payments"
          title="Payments"
          asks={`Change whether ${team.name} may take payments?`}
          {...forms}
        >
          <p class="quiet">
            Unless it is active and enabled, a team moves no money: its requests about payments are
            refused, reading them included, its pages take no payment, and its schedules wait. Its
            customers, invoices and webhooks go on.
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
      <Keys teamId={team.id} keys={keys} newKeyId={newKeyId} refused={refused} />
      <Endpoints teamId={team.id} rows={endpoints} />
    </>
  )
}

function WaitingMessages({ team, held, asOf }: Pick<OneTeamProps, 'team' | 'held' | 'asOf'>) {
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
