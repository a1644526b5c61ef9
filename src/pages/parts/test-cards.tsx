// The cards to try on a sandbox account's page.

const CARDS = [
  ['4111 1111 1111 1111', 'is approved'],
  ['4012 8888 8888 1881', 'is declined'],
] as const

export function TestCards() {
  return (
    <aside class="test" aria-label="About this test">
      <p>
        <strong>This is a test page.</strong> Nothing is charged, whatever you enter. Please don't
        use a real card.
      </p>
      <ul>
        {CARDS.map(([number, what]) => (
          <li key={number}>
            <button type="button" class="plain" data-card={number}>
              <span class="number">{number}</span>
            </button>{' '}
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
