// Charges without a pause, so that the current charts have values.

import { dice } from './dice.ts'
import type { PicturedShop } from './shop.ts'

/** Returns a function that stops it. */
export function busyShop({ ask, cards }: PicturedShop): () => Promise<void> {
  const roll = dice(7)
  let isOpen = true
  const keepCharging = async () => {
    while (isOpen) {
      const payment_method_id = cards[Math.floor(roll() ** 2 * cards.length)]
      const total = (500 + Math.floor(roll() * 9_000)) / 100
      await ask('POST', '/charge', { payment_method_id, total })
      const busyness = 1 + Math.sin(Date.now() / 12_000)
      await new Promise((resolve) => setTimeout(resolve, 20 + roll() * 120 * (2.4 - busyness)))
    }
  }
  const callers = [keepCharging(), keepCharging(), keepCharging()]
  return async () => {
    isOpen = false
    await Promise.all(callers)
  }
}
