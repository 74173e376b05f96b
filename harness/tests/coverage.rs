//! Functional coverage: cases that aim hit what they aim at, recipes lead where they say, illegal bins are
//! out of reach.

use contract::case::{Case, MemoryWindow, VectorCase};
use contract::isa::Generation;
use contract::model::ModelError;
use contract::outcome::{LegalityReason, Outcome, VectorStep};
use contract::profile::Profile;
use contract::text::{parse_program, write_bundle};
use harness::coverage::{self, GROUPS, GroupId, Hits, Scope, Standing};
use harness::family::{Family as Kind, Op};
use harness::generate::tensor::targets::{Cross, Targets as TensorTargets};
use harness::generate::vector::targets::{DISTANCES, Pairs, Targets};
use harness::generate::{CaseSeed, Family, Generated, Generator, Options};
use harness::models::{self, BoxedModel};

/// The bins that the case of a seed hits.
struct Probe {
    generator: Generator,
    model: BoxedModel,
    sample: Generated,
    outcome: Outcome,
}

impl Probe {
    fn new() -> Self {
        Self {
            generator: Generator::new(Options::default()),
            model: models::candidate().make(),
            sample: Generated::default(),
            outcome: Outcome::Vector(Box::default()),
        }
    }

    fn collect(
        &mut self,
        family: Family,
        seed: CaseSeed,
        hits: &mut Hits,
    ) -> Result<(), ModelError> {
        self.generator.seeded(family, seed, &mut self.sample);
        if std::mem::discriminant(&self.outcome) != discriminant(family) {
            self.outcome = match family {
                Family::Vector => Outcome::Vector(Box::default()),
                Family::Tensor => Outcome::Tensor(Box::default()),
            };
        }
        self.model.run_into(&self.sample.case, &mut self.outcome)?;
        coverage::collect(&self.sample.case, &self.outcome, hits);
        Ok(())
    }

    fn text(&self) -> String {
        let Case::Vector(case) = &self.sample.case else { return self.sample.case.id().to_owned() };
        let mut text = String::new();
        for bundle in &case.program {
            write_bundle(&mut text, bundle).unwrap();
            text.push('\n');
        }
        text
    }
}

fn discriminant(family: Family) -> std::mem::Discriminant<Outcome> {
    std::mem::discriminant(&match family {
        Family::Vector => Outcome::Vector(Box::default()),
        Family::Tensor => Outcome::Tensor(Box::default()),
    })
}

#[test]
fn cases_that_aim_at_a_pair_of_families_hold_it_at_its_distance() {
    let targets = Targets::new(&Options::default().vector);
    let (pairs, count) = (Pairs::get(), targets.all().len() as u64);
    let mut probe = Probe::new();
    let mut missed = Vec::new();
    let mut first_time = 0;
    for (number, target) in (0..).zip(targets.all()) {
        let pair = target.pair as usize;
        let hit = |hits: &Hits| match target.apart {
            None => hits.of(GroupId::Pair).has(pair),
            Some(apart) => {
                let core = pairs.core_number(pair).unwrap();
                hits.of(GroupId::Meeting).has(core * DISTANCES + usize::from(apart))
            }
        };
        let found = (0..6).position(|salt| {
            let mut hits = Hits::default();
            let seed = CaseSeed::aiming(number, count, salt);
            probe.collect(Family::Vector, seed, &mut hits).unwrap();
            hit(&hits)
        });
        first_time += u64::from(found == Some(0));
        if found.is_none() {
            missed.push((pairs.all()[pair].name(), target.apart, probe.text()));
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {count}: {:#?}",
        missed.len(),
        &missed[..missed.len().min(6)]
    );
    assert!(first_time * 100 > count * 97, "{first_time} of {count} at once");
}

#[test]
fn cases_that_aim_at_a_combination_hold_it() {
    let targets = TensorTargets::new(&Options::default());
    let count = targets.count() as u64;
    let mut probe = Probe::new();
    for (number, (cross, bin)) in (0..).zip(targets.all()).step_by(41) {
        let group = match cross {
            Cross::Cached => GroupId::Cached,
            Cross::Operators => GroupId::Operators,
            Cross::Scan => GroupId::Scan,
            Cross::Bitvec => GroupId::Bitvec,
        };
        let hit = (0..12).any(|salt| {
            let mut hits = Hits::default();
            let seed = CaseSeed::aiming(number, count, salt);
            probe.collect(Family::Tensor, seed, &mut hits).unwrap();
            hits.of(group).has(*bin as usize)
        });
        assert!(hit, "{cross:?} {:?}", cross.at(*bin as usize));
    }
}

#[test]
fn the_recipe_of_every_reason_code_gives_it() {
    let enabled = Op::enabled(Kind::Vector);
    let scope = Scope::new(&enabled, Generation::ALL, 0.35, Profile::default());
    let group = GroupId::Reason.group();
    for (bin, reason) in LegalityReason::all().into_iter().enumerate() {
        let text = (group.recipe)(bin, &scope);
        let program = parse_program(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let case = Case::Vector(VectorCase {
            id: text.clone(),
            profile: Profile::default(),
            cpenable: 2,
            state: Vec::new(),
            memory: MemoryWindow::default(),
            program,
        });
        for factory in [models::oracle(), models::candidate()] {
            let Outcome::Vector(outcome) = factory.make().run(&case).unwrap() else { panic!() };
            assert_eq!(outcome.steps, [VectorStep::Reject(reason.clone())], "{text}");
        }
    }
}

#[test]
fn recipes_of_pairs_hit_their_bins() {
    let enabled = Op::enabled(Kind::Vector);
    let scope = Scope::new(&enabled, Generation::ALL, 0.35, Profile::default());
    let group = GroupId::Meeting.group();
    let mut model = models::oracle().make();
    for bin in (0..(group.count)()).step_by(97) {
        if (group.standing)(bin, &scope) != Standing::Counted {
            continue;
        }
        let text = (group.recipe)(bin, &scope).replace(" | ", "\n");
        let memory = MemoryWindow { base: 0, bytes: 4096, init: Vec::new() };
        let case = Case::Vector(VectorCase {
            id: (group.bin)(bin),
            profile: Profile::default(),
            cpenable: 2,
            state: (0..16).map(|n| contract::case::RegisterValue::Ar(n, 1024)).collect(),
            memory,
            program: parse_program(&text).unwrap(),
        });
        let mut hits = Hits::default();
        let outcome = model.run(&case).unwrap();
        coverage::collect(&case, &outcome, &mut hits);
        assert!(hits.of(GroupId::Meeting).has(bin), "{}\n{text}\n{outcome:?}", case.id());
    }
}

#[test]
fn generated_cases_hit_no_illegal_bin() {
    let enabled: Vec<Op> =
        [Op::enabled(Kind::Tensor), Op::enabled(Kind::Vector)].into_iter().flatten().collect();
    let scope = Scope::new(&enabled, Generation::ALL, 0.35, Profile::default());
    let mut probe = Probe::new();
    let mut hits = Hits::default();
    for index in 0..6_000 {
        for family in [Family::Tensor, Family::Vector] {
            probe.collect(family, CaseSeed::of(3, index), &mut hits).unwrap();
        }
    }
    for group in &GROUPS {
        let found = hits.of(group.id);
        assert!(found.count() > 0, "{}", group.name);
        for bin in (0..(group.count)()).filter(|&bin| found.has(bin)) {
            let standing = (group.standing)(bin, &scope);
            assert!(
                !matches!(standing, Standing::Illegal(_)),
                "{}: {}",
                group.name,
                (group.bin)(bin)
            );
        }
    }
}
