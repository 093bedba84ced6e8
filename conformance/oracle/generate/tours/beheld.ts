import { hashOf } from '../../play/random.ts';
import { objectOf } from '../../samples/objects.ts';
import { mark } from '../end-mark.ts';
import { type Form, formsOfKinds, inForm } from '../forms.ts';
import type { KindStory } from '../story.ts';

/** Most streams are told in the form that says most. */
const forms: readonly Form[] = ['json', 'json', 'json', ...formsOfKinds];

/** A tour beside which a stream tells of each write that counts, whichever verb or door it comes by, and of no other. */
export const beheld =
  (name: string, tell: (at: KindStory) => void) =>
  (at: KindStory): void => {
    const form = forms[hashOf(`${name} of ${at.label}`) % forms.length] as Form;
    at.watch({ watch: { until: mark }, query: { labelSelector: 'app=<own>' }, ...inForm(form) }, 1);
    const before = at.story.length;
    tell(at);
    // Where there is nothing to tell of a kind, nothing ends.
    if (at.story.length > before + 1) at.create(objectOf(at.kind, mark));
  };
