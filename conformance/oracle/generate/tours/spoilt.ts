import { fieldSpoilings, wholeSpoilings } from '../../play/spoil.ts';
import { objectOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dry, dryBeside, type KindStory } from '../story.ts';

/** How many fields are spoilt in each way, from the first on: those of the metadata are the same for every kind. */
const mostFields = 48;
/** One way to spoil a field after the other, so that each meets fields of many sorts. */
const stride = 3;

/** Protobuf that is not as it should be, as a new object and as a change of one that is there; all of it rehearsed. */
export function spoiltBytes(at: KindStory): void {
  const bytesOf = at.create(objectOf(at.kind, 'a'), { ...dry, ...inForm('protobuf') });
  for (const becomes of wholeSpoilings) at.create({}, { ...dryBeside, body: { bytesOf, spoilt: { becomes } } });
  for (const [number, becomes] of fieldSpoilings.entries())
    for (let field = number % stride; field < mostFields; field += stride)
      at.create({}, { ...dryBeside, body: { bytesOf, spoilt: { field, becomes } } });
  at.create(objectOf(at.kind, 'a'));
  const stored = at.get('a', inForm('protobuf'));
  for (const becomes of wholeSpoilings) at.put('a', { bytesOf: stored, spoilt: { becomes } }, dryBeside);
}
