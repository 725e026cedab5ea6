//! TCP over a small network of the tests' own, against the RFCs by hand and against closed forms.

mod acknowledgements;
mod delivery;
mod laws;
mod pipe;
mod rack;
mod recovery;
mod reduction;
mod shape;
mod speed;
mod steps;
