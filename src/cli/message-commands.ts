// Commands about messages and webhooks.

import type { Command } from 'commander'
import {
  DELIVERY_CHANNELS,
  MESSAGE_CHANNELS,
  PARKED_DELIVERY_REASONS,
  PARKED_REASON_WORDS,
} from '../core/delivery.ts'
import type { DeliveryFilter } from '../deliveries/find-deliveries.ts'
import type { StopReason } from '../deliveries/stopped-addresses.ts'
import { choice, examples, JSON_OPTION, WIDE_OPTION } from './command-options.ts'

/** A dismissed delivery is a parked one that needs no person any more. */
const STATUSES: readonly DeliveryFilter['status'][] = [
  'parked',
  'dismissed',
  'pending',
  'sent',
  'delivered',
]

const STOP_REASONS: readonly StopReason[] = ['no_such_address', 'opted_out']

export function addMessageCommands(program: Command): void {
  addOutboxCommands(program)
  addStoppedCommands(addDeliveryCommands(program))
}

function addOutboxCommands(program: Command): void {
  const outbox = program
    .command('outbox')
    .description('messages that were not sent because no provider is configured')
  outbox
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .option('--limit <count>', 'how many', '20')
    .addOption(choice('--channel <channel>', MESSAGE_CHANNELS, 'only this one'))
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./outbox.ts')).listOutboxCommand(options))
  outbox
    .command('show')
    .argument('<id>', 'a message of the list')
    .description('print a message')
    .option('--html', 'only its HTML page')
    .option('--raw', 'the file, as any mail program opens it')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('outbox show <id>', 'outbox show <id> --html > message.html'))
    .action(async (id, options) => (await import('./outbox.ts')).showMessageCommand(id, options))
}

function addDeliveryCommands(program: Command): Command {
  const deliveries = program
    .command('deliveries')
    .description('messages and webhooks: list those that need attention, show one, retry, dismiss')
    .addHelpText('after', reasonsHelp)
  deliveries
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .addOption(choice('--status <status>', STATUSES, 'only these').default('parked'))
    .addOption(choice('--channel <channel>', DELIVERY_CHANNELS, 'only this one'))
    .option('--account <id>', 'only those of this account')
    .option('--team <team>', 'only those of this team: id or name')
    .option('--since <when>', 'changed since a date, or a time ago such as 2d')
    .option('--limit <count>', 'how many', '50')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('deliveries', 'deliveries --channel webhook --since 2d'))
    .action(async (options) => (await import('./deliveries.ts')).listDeliveriesCommand(options))
  deliveries
    .command('show')
    .argument('<id>', 'a delivery of the list')
    .description('show a delivery with all its attempts')
    .option(...JSON_OPTION)
    .action(async (id, options) =>
      (await import('./deliveries.ts')).showDeliveryCommand(id, options),
    )
  addFilters(deliveries.command('retry'), 'such as out_of_tries; opted_out only by name')
    .description('retry parked deliveries now')
    .addHelpText('after', examples('deliveries retry --channel email --reason out_of_tries'))
    .action(async (ids, options) =>
      (await import('./deliveries.ts')).retryDeliveriesCommand(ids, options),
    )
  addFilters(deliveries.command('dismiss'), 'such as refused')
    .description('dismiss parked deliveries, or the waiting messages of a stopped team')
    .option('--waiting', 'what waits because its team is inactive or disabled; since its creation')
    .addHelpText(
      'after',
      examples(
        'deliveries dismiss --channel sms --reason opted_out',
        'deliveries dismiss --waiting --team "Moonlight Books" --since 2d',
      ),
    )
    .action(async (ids, options) =>
      (await import('./deliveries.ts')).dismissDeliveriesCommand(ids, options),
    )
  return deliveries
}

function reasonsHelp(): string {
  const lines = Object.entries(PARKED_REASON_WORDS).map(
    ([reason, words]) => `  ${reason.padEnd(13)} ${words}`,
  )
  return `\nReasons, as --reason takes them\n${lines.join('\n')}`
}

function addStoppedCommands(deliveries: Command): void {
  deliveries
    .command('stopped')
    .description('list the addresses that get no messages, or no scheduled bills, and why')
    .addOption(choice('--channel <channel>', MESSAGE_CHANNELS, 'only this one'))
    .option('--account <id>', 'only those of this account')
    .option('--team <team>', 'only those of this team: id or name')
    .option('--limit <count>', 'how many', '50')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./stopped-addresses.ts')).listStopsCommand(options))
  deliveries
    .command('lift')
    .argument('<address>', 'an address of the list')
    .description('send to a stopped address again')
    .requiredOption('--account <id>', 'the account')
    .addOption(
      choice('--channel <channel>', MESSAGE_CHANNELS, 'that of the address').default('email'),
    )
    .addOption(
      choice('--reason <reason>', STOP_REASONS, 'why it is stopped').default('no_such_address'),
    )
    .option('--note <note>', 'for opted_out: how the recipient asked for it')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('deliveries lift ada@example.com --account <id>'))
    .action(async (address, options) =>
      (await import('./stopped-addresses.ts')).liftStopCommand(address, options),
    )
}

function addFilters(command: Command, reasons: string): Command {
  return command
    .argument('[id...]', 'parked deliveries; or a filter instead')
    .addOption(choice('--channel <channel>', DELIVERY_CHANNELS, 'only this one'))
    .addOption(
      choice('--reason <reason>', PARKED_DELIVERY_REASONS, `why they are parked, ${reasons}`),
    )
    .option('--account <id>', 'only those of this account')
    .option('--team <team>', 'only those of this team: id or name')
    .option('--since <when>', 'parked since a date, or a time ago such as 2d')
    .option(...JSON_OPTION)
}
