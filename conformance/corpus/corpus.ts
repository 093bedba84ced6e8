import { actingSlips } from './acting.slips.ts';
import { admittingSlips } from './admitting.slips.ts';
import { applyFaults } from './apply.faults.ts';
import { blurringSlips } from './blurring.slips.ts';
import { bunglingSlips } from './bungling.slips.ts';
import { consultingSlips } from './consulting.slips.ts';
import { definingSlips } from './defining.slips.ts';
import { detailSlips } from './details.slips.ts';
import { driftingSlips } from './drifting.slips.ts';
import { easingSlips } from './easing.slips.ts';
import { erringSlips } from './erring.slips.ts';
import { extendingSlips } from './extending.slips.ts';
import { falteringSlips } from './faltering.slips.ts';
import type { Fault } from './fault.ts';
import { fillingSlips } from './filling.slips.ts';
import { followingSlips } from './following.slips.ts';
import { forwardingFaults } from './forwarding.faults.ts';
import { fumblingSlips } from './fumbling.slips.ts';
import { glossingSlips } from './glossing.slips.ts';
import { governingSlips } from './governing.slips.ts';
import { guardingSlips } from './guarding.slips.ts';
import { hookingSlips } from './hooking.slips.ts';
import { identityFaults, kindFaults } from './identity.faults.ts';
import { imitatingSlips } from './imitating.slips.ts';
import { kindSlips } from './kinds.slips.ts';
import { lapsingSlips } from './lapsing.slips.ts';
import { leafingSlips } from './leafing.slips.ts';
import { leavingSlips } from './leaving.slips.ts';
import { listFaults } from './lists.faults.ts';
import { mergingSlips } from './merging.slips.ts';
import { mishearingFaults } from './mishearing.faults.ts';
import { misplacingFaults } from './misplacing.faults.ts';
import { mistakingFaults } from './mistaking.faults.ts';
import { narrowingFaults } from './narrowing.faults.ts';
import { owningSlips } from './owning.slips.ts';
import { paringFaults } from './paring.faults.ts';
import { particularSlips } from './particulars.slips.ts';
import { partingSlips } from './parting.slips.ts';
import { patchingSlips } from './patching.slips.ts';
import { readingSlips } from './reading.slips.ts';
import { relayingFaults } from './relaying.faults.ts';
import { contentFaults, fieldFaults } from './representation.faults.ts';
import { reviewingSlips } from './reviewing.slips.ts';
import { rewritingSlips } from './rewriting.slips.ts';
import { rovingSlips } from './roving.slips.ts';
import { seeingSlips } from './seeing.slips.ts';
import { showingSlips } from './showing.slips.ts';
import { skimpingSlips } from './skimping.slips.ts';
import { slightingFaults } from './slighting.faults.ts';
import { staggeringSlips } from './staggering.slips.ts';
import { strayingSlips } from './straying.slips.ts';
import { stumblingSlips } from './stumbling.slips.ts';

import { teeteringSlips } from './teetering.slips.ts';
import { topplingSlips } from './toppling.slips.ts';

import { totteringSlips } from './tottering.slips.ts';

import { wanderingFaults } from './wandering.faults.ts';
import { watchFaults } from './watch.faults.ts';
import { wordingSlips } from './wording.slips.ts';
import { dryRunFaults, writeFaults } from './writes.faults.ts';
import { writingSlips } from './writing.slips.ts';

/** Faulty servers, by what they are careless about. */
export const corpus: Readonly<Record<string, readonly Fault[]>> = {
  lists: listFaults,
  watches: watchFaults,
  'dry runs': dryRunFaults,
  writes: writeFaults,
  apply: applyFaults,
  content: contentFaults,
  fields: fieldFaults,
  identity: identityFaults,
  kinds: kindFaults,
  reading: readingSlips,
  showing: showingSlips,
  writing: writingSlips,
  patching: patchingSlips,
  guarding: guardingSlips,
  hooking: hookingSlips,
  'kinds within': kindSlips,
  seeing: seeingSlips,
  rewriting: rewritingSlips,
  merging: mergingSlips,
  wording: wordingSlips,
  acting: actingSlips,
  reviewing: reviewingSlips,
  defining: definingSlips,
  particulars: particularSlips,
  admitting: admittingSlips,
  blurring: blurringSlips,
  bungling: bunglingSlips,
  consulting: consultingSlips,
  details: detailSlips,
  easing: easingSlips,
  erring: erringSlips,
  extending: extendingSlips,
  faltering: falteringSlips,
  filling: fillingSlips,
  following: followingSlips,
  forwarding: forwardingFaults,
  fumbling: fumblingSlips,
  glossing: glossingSlips,
  governing: governingSlips,
  imitating: imitatingSlips,
  lapsing: lapsingSlips,
  leafing: leafingSlips,
  leaving: leavingSlips,
  mishearing: mishearingFaults,
  mistaking: mistakingFaults,
  narrowing: narrowingFaults,
  owning: owningSlips,
  paring: paringFaults,
  parting: partingSlips,
  relaying: relayingFaults,
  roving: rovingSlips,
  skimping: skimpingSlips,
  slighting: slightingFaults,
  staggering: staggeringSlips,
  straying: strayingSlips,
  stumbling: stumblingSlips,
  teetering: teeteringSlips,
  toppling: topplingSlips,
  tottering: totteringSlips,
  drifting: driftingSlips,
  misplacing: misplacingFaults,
  wandering: wanderingFaults,
};
