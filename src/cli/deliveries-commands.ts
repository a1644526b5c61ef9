// `lamplighter deliveries …`, as it is typed.

import type { Command } from 'commander'

export function addDeliveries(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('messages and webhooks: what is parked, what became of one, once more, no more')

  deliveries
    .command('list', { isDefault: true })
    .description('the newest first')
    .option('--status <status>', 'parked, closed, pending, sent or delivered', 'parked')
    .option('--channel <channel>', 'email, sms or webhook')
    .option('--account <id>', 'of one account')
    .option('--team <team>', 'of one team: id or name')
    .option('--since <when>', 'a date, or a time ago such as 2d')
    .option('--limit <count>', 'so many at most', '50')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./deliveries.ts')).list(options))

  deliveries
    .command('show')
    .argument('<id>')
    .description('all of its history')
    .option('--json', 'answer in JSON')
    .action(async (id, options) => (await import('./deliveries.ts')).show(id, options))

  toSome(deliveries.command('retry'), 'such as out_of_tries; opted_out only by name')
    .description('have parked ones tried again, now')
    .action(async (ids, options) => (await import('./deliveries.ts')).retry(ids, options))

  toSome(deliveries.command('close'), 'such as refused')
    .description('have parked ones wait for nobody any more')
    .action(async (ids, options) => (await import('./deliveries.ts')).close(ids, options))
}

function toSome(command: Command, reasons: string): Command {
  return command
    .argument('[id...]', 'parked ones; or a filter instead')
    .option('--channel <channel>', 'email, sms or webhook')
    .option('--reason <reason>', `why they are parked, ${reasons}`)
    .option('--account <id>', 'of one account')
    .option('--team <team>', 'of one team: id or name')
    .option('--since <when>', 'parked since a date, or a time ago such as 2d')
    .option('--json', 'answer in JSON')
}
