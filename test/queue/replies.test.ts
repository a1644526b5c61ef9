// Waiting callers are woken by messages, and read the row themselves if a message may be lost.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answered } from '../../src/core/verdict.ts'
import { Replies } from '../../src/queue/replies.ts'

const sent: (readonly [address: string, ids: string])[] = []

function openReplies(
  send = async (address: string, ids: string) => void sent.push([address, ids]),
) {
  sent.length = 0
  return new Replies({ address: 'here', mostIds: 2, send, stop: () => {}, onError: () => {} })
}

describe('a caller that waits for a row', () => {
  let replies: Replies
  let wake: ReturnType<typeof vi.fn<() => void>>
  let forget: () => void

  beforeEach(() => {
    replies = openReplies()
    wake = vi.fn()
    forget = replies.expect('a', wake)
  })

  it('is woken by a message about its row, and by no other', () => {
    replies.arrived('b')
    expect(wake).not.toHaveBeenCalled()
    replies.arrived('a')
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('is woken if any message may have been lost', () => {
    replies.wakeAll()
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('reads the row itself from the second general reminder on, and not at the first', () => {
    replies.wakeLongWaiting()
    expect(wake).not.toHaveBeenCalled()
    const later = vi.fn<() => void>()
    replies.expect('a', later)
    replies.wakeLongWaiting()
    expect([wake, later].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
    replies.wakeLongWaiting()
    expect([wake, later].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
  })

  it('is woken by nothing once it has gone', () => {
    replies.wakeLongWaiting()
    forget()
    replies.wakeLongWaiting()
    replies.arrived('a')
    replies.wakeAll()
    expect(wake).not.toHaveBeenCalled()
  })
})

describe('a reply', () => {
  it('to this process wakes its caller at once, without a message', () => {
    const replies = openReplies()
    const wake = vi.fn<() => void>()
    replies.expect('a', wake)
    replies.reply('here', 'a')
    expect(wake).toHaveBeenCalledTimes(1)
    expect(sent).toEqual([])
  })

  it('to this process hands the answer over, so that no row is read', () => {
    const replies = openReplies()
    const wake = vi.fn<(answer?: Answered) => void>()
    replies.expect('a', wake)
    const answer = { status: 'SUCCESS', body: '{"total":12.5}' } as const
    replies.reply('here', 'a', answer)
    expect(wake).toHaveBeenCalledExactlyOnceWith(answer)
  })

  it('shares its message with others of the moment, up to a limit, and is sent before the end', async () => {
    const replies = openReplies()
    for (const id of ['a', 'b', 'c']) replies.reply('there', id)
    replies.reply('elsewhere', 'd')
    await replies.close()
    expect(sent).toEqual([
      ['there', 'a,b'],
      ['there', 'c'],
      ['elsewhere', 'd'],
    ])
  })

  it('that cannot be sent holds up no other', async () => {
    const replies = openReplies(async (address, ids) => {
      if (address === 'nowhere') throw new Error('no server is there')
      sent.push([address, ids])
    })
    replies.reply('nowhere', 'a')
    replies.reply('there', 'b')
    await replies.close()
    expect(sent).toEqual([['there', 'b']])
  })
})
