//! Members and groups of action profiles and selectors.

use super::{Result, Shadow};
use ww_dataplane::control::{ActionData, ProfileIndex, ProfileView, Target};
use ww_engine::objects::{self, Profile};
use ww_engine::validation;

impl Shadow {
    fn is_referred_to(&self, profile: ProfileIndex, target: &Target) -> bool {
        let info = self.schema.profiles.get(profile.index());
        let tables = info.into_iter().flat_map(|info| &info.tables);
        tables.map(|table| &self.tables[table.index()]).any(|table| {
            table.default == *target || table.entries.values().any(|entry| entry.target == *target)
        })
    }

    /// A profile, for changes that no entry and no action matters to.
    pub fn profile_mut(&mut self, profile: ProfileIndex) -> Result<&mut Profile<ActionData>> {
        objects::profile(&mut self.profiles, profile)
    }

    pub fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let info = validation::profile_info(&self.schema, profile)?;
        validation::arguments(&info.actions, &data)?;
        self.profiles[profile.index()].add(data)
    }

    pub fn member_modify(
        &mut self,
        profile: ProfileIndex,
        member: u32,
        to: ActionData,
    ) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        validation::arguments(&info.actions, &to)?;
        self.profiles[profile.index()].modify(member, to)
    }

    pub fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, &Target::Member(member));
        self.profile_mut(profile)?.remove(member, is_referred_to).map(|_| ())
    }

    pub fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, &Target::Group(group));
        self.profile_mut(profile)?.remove_group(group, is_referred_to)
    }

    /// Members and groups.
    pub fn profile(&self, profile: ProfileIndex) -> Result<ProfileView> {
        validation::profile_info(&self.schema, profile)?;
        let kept = &self.profiles[profile.index()];
        Ok(ProfileView {
            members: kept.members().map(|(handle, data)| (handle, data.clone())).collect(),
            groups: kept.groups().clone(),
        })
    }

    /// What a member does.
    pub fn member(&self, profile: ProfileIndex, member: u32) -> Option<&ActionData> {
        self.profiles.get(profile.index())?.member(member)
    }
}
