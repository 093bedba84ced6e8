import { describe, expect, it } from 'vitest';
import { RecordingSink } from './recording-sink.fixture.ts';
import { openedLater } from './watch-sink.ts';

const event = Buffer.from('event');

function late() {
  const opened: RecordingSink[] = [];
  const given = { up: 0 };
  const sink = openedLater(
    () => {
      opened.push(new RecordingSink());
      return opened.at(-1) as RecordingSink;
    },
    () => void given.up++,
  );
  return { sink, opened, given };
}

describe('a sink that is opened later', () => {
  it('is opened once, when it is told to begin', () => {
    const { sink, opened } = late();
    expect(opened).toHaveLength(0);
    sink.begin();
    sink.begin();
    sink.write(event);
    expect(opened.map(({ chunks }) => chunks)).toEqual([[event]]);
  });

  it.each(['write', 'end'] as const)('is opened by a %s', (what) => {
    const { sink, opened } = late();
    sink[what](event);
    expect(opened).toHaveLength(1);
  });

  it('tells when it is drained of whoever asked before', () => {
    const { sink, opened } = late();
    let drained = 0;
    sink.onDrain(() => void drained++);
    sink.begin();
    opened[0]?.drain();
    expect(drained).toBe(1);
  });

  it('is given up without being opened, or aborted once it is', () => {
    const before = late();
    before.sink.abort();
    expect([before.opened.length, before.given.up, before.sink.unread]).toEqual([0, 1, 0]);
    const after = late();
    after.sink.begin();
    after.sink.abort();
    expect([after.opened[0]?.outcome, after.given.up]).toEqual(['aborted', 0]);
  });
});
