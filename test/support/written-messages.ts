// The message of a delivery, as its channel hands it to a provider. Undefined if it hands over none.

import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import { emailChannel } from '../../src/messages/email-channel.ts'
import { smsChannel } from '../../src/messages/sms-channel.ts'
import type { Mail } from '../../src/outside/mail/port.ts'
import type { TextMessage } from '../../src/outside/sms/port.ts'
import type { World } from '../../src/world.ts'
import { TAKEN } from './deliveries.ts'

const timeLimit = () => new AbortController().signal

export async function emailOf(world: World, delivery: ClaimedDelivery): Promise<Mail | undefined> {
  const handed: Mail[] = []
  const send = async (mail: Mail) => {
    handed.push(mail)
    return TAKEN
  }
  const own = { ...world, mailer: { ...world.mailer, send } }
  await emailChannel(own).send(own, { ...delivery, channel: 'email' }, timeLimit)
  return handed[0]
}

export async function textOf(
  world: World,
  delivery: ClaimedDelivery,
): Promise<TextMessage | undefined> {
  const handed: TextMessage[] = []
  const send = async (message: TextMessage) => {
    handed.push(message)
    return TAKEN
  }
  const own = { ...world, texter: { ...world.texter, send } }
  await smsChannel(own).send(own, { ...delivery, channel: 'sms' }, timeLimit)
  return handed[0]
}
